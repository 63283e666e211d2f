// oa-train: trains models of attention by optimisation.  See oa-train(1).
#include "app/ranks.h"
#include "app/training.h"
#include "cli/cli.h"
#include "cli/train_options.h"
#include "oa/base/error.h"
#include "oa/base/number.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace oa {
namespace {

struct Options {
  app::Common common;
  cli::DataOptions data;
  cli::TrainOptions recipe;
  app::InitialOptions initial;
  app::TrainingFiles files;
  std::optional<IndexSet> seeds;
  bool test = false;
};

void declare(cli::App& app, Options& o) {
  o.common.output.clear();  // no default
  cli::add_data(app, o.data);
  cli::add_output(app, o.common, "Where the model goes")->required();
  cli::add_recipe(app, o.recipe);
  cli::add_initial(app, o.initial);
  auto* resume =
      app.add_option(
             "--resume", o.files.resume, "Go on from a checkpoint, if it is there")
          ->type_name("FILE");
  app.add_option("--checkpoint", o.files.checkpoint, "Saved after epochs and on SIGINT")
      ->type_name("FILE");
  app.add_option(
         "--log", o.files.logs.json, "Log of the training, a JSON object a line")
      ->type_name("FILE");
  app.add_option("--csv", o.files.logs.csv, "Table of the epochs")->type_name("FILE");
  app.add_option("--tensorboard", o.files.logs.tensorboard, "Events for TensorBoard")
      ->type_name("DIR");
  app.add_flag("--test", o.test, "Evaluate the test images too, after every epoch");
  cli::add_seed(app, o.common);
  cli::add_indices(app, "--seeds", o.seeds, "One model for each seed, MODEL.SEED.bin")
      ->excludes(resume);
  cli::add_threads(app, o.common);
  cli::add_json_summary(app, o.common);
}

std::vector<std::int64_t> seeds_of(const Options& o) {
  if (!o.seeds) {
    return {static_cast<std::int64_t>(o.common.seed)};
  }
  constexpr std::int64_t kMost = 1000;
  if (o.seeds->size() > kMost) {
    throw app::UsageError("--seeds names more than " + format(kMost) + " seeds");
  }
  std::vector<std::int64_t> seeds;
  for (const auto& range : o.seeds->ranges()) {
    for (std::int64_t seed = range.first; seed <= range.last; ++seed) {
      seeds.push_back(seed);
    }
  }
  return seeds;
}

/// What is there before the training begins.
struct Prepared {
  std::vector<std::int64_t> seeds;
  std::vector<io::Output> outputs;  // of rank 0
  std::optional<model::Model> initial;
  train::Recipe recipe;
  std::optional<app::Training> training;
};

app::TrainingData read(const Options& o, const train::Ranks* ranks, Split split) {
  return app::read_training_data(ranks, split, [&](const Selection& selection) {
    return cli::read_data(o.data, split, o.common.threads, selection);
  });
}

void prepare(const Options& o,
             app::Context& context,
             train::Ranks* ranks,
             Prepared& all) {
  if (o.common.output == "-") {
    throw app::UsageError("a model is not written to standard output (name a file)");
  }
  all.seeds = seeds_of(o);
  // Opens all outputs before the training, which may take an hour, so that it is not
  // lost.
  for (const std::int64_t seed : all.seeds) {
    if (ranks == nullptr || ranks->rank() == 0) {
      all.outputs.emplace_back(o.seeds ? app::with_seed(o.common.output, seed)
                                       : o.common.output);
    }
  }
  app::TrainingData train = read(o, ranks, Split::Train);
  app::TrainingData test = o.test ? read(o, ranks, Split::Test) : app::TrainingData{};
  if (!o.initial.file.empty()) {
    all.initial = io::read_model_file(o.initial.file);
  }
  all.recipe = cli::make_recipe(o.recipe,
                                train.data,
                                train.count,
                                cli::task_of(o.data),
                                all.initial ? &all.initial->config : nullptr);
  all.recipe.training.seed = all.seeds.front();
  if (o.test) {
    app::check_test_data(all.recipe.model, test);
  }
  app::TrainingFiles files = o.files;
  files.lines = !o.common.json;  // which stands alone
  all.training.emplace(
      files, std::move(train), std::move(test), o.common.threads, context, ranks);
}

app::Exit train_all(const Options& o, app::Context& context, Prepared& all) {
  const std::string classes = cli::class_names(o.data);
  for (std::size_t k = 0; k < all.seeds.size(); ++k) {
    all.recipe.training.seed = all.seeds[k];
    const auto trained = all.training->run(all.recipe, o.seeds.has_value());
    if (!trained) {
      return context.status(false);
    }
    if (!all.outputs.empty()) {
      io::Metadata metadata = trained->metadata;
      if (!classes.empty()) {
        metadata["oa.train.classes"] = classes;
      }
      io::write_model(all.outputs[k], trained->model, metadata);
      all.outputs[k].commit();
    }
  }
  if (!all.outputs.empty()) {
    context.summarise(
        o.common,
        o.common.json ? all.training->summary_json() : all.training->summary_text());
  }
  return app::Exit::Ok;
}

/// Makes ready to train; a status if the ranks disagree.
std::optional<app::Exit> prepare_ranks(const Options& o,
                                       app::Context& context,
                                       train::Ranks& ranks,
                                       Prepared& all) {
  const auto refused = app::agree(ranks, [&] {
    prepare(o, context, &ranks, all);
    auto common = all.training->in_common(all.recipe);
    for (const std::int64_t seed : all.seeds) {
      common["seeds"] += format(seed) + " ";
    }
    if (all.initial) {  // from here on what fails on one rank fails on all
      common.merge(app::identity_of(o.initial, *all.initial));
    }
    return common;
  });
  if (refused) {
    return refused;
  }
  return app::agree(ranks, [&] {
    all.training->begin(all.recipe, o.initial, all.initial);
    return all.training->in_common(all.recipe);
  });
}

app::Exit work(const Options& o, app::Context& context) {
  const auto ranks = app::join_ranks(context);
  Prepared all;
  if (ranks == nullptr) {
    prepare(o, context, nullptr, all);
    all.training->begin(all.recipe, o.initial, all.initial);
  } else if (const auto refused = prepare_ranks(o, context, *ranks, all)) {
    return *refused;
  }
  return train_all(o, context, all);
}

/// Of several processes with this command line, one says what is wrong with it.
app::Exit refuse(const app::UsageError& error, app::Context& context) {
  const auto ranks = app::join_ranks(context);
  if (ranks == nullptr) {
    throw error;
  }
  const auto refused =
      app::agree(*ranks, [&]() -> std::map<std::string, std::string> { throw error; });
  return refused.value_or(app::Exit::Usage);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {.name = "oa-train",
       .summary = "Trains a model whose attention solves optimisation problems.",
       .refuse = oa::refuse},
      argc,
      argv,
      oa::declare,
      oa::work);
}
