// oa-train: trains models of attention by optimisation.  See oa-train(1).
#include "app/ranks.h"
#include "app/training.h"
#include "cli/cli.h"
#include "cli/train_options.h"
#include "oa/base/error.h"
#include "oa/base/number.h"

#include <optional>

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
  cli::add_json(app, o.common, "The summary is one JSON object");
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
  train::Recipe recipe;
  std::optional<app::Training> training;
};

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
  Dataset train = cli::read_data(o.data, Split::Train, o.common.threads);
  Dataset test =
      o.test ? cli::read_data(o.data, Split::Test, o.common.threads) : Dataset{};
  std::optional<model::Model> first;
  if (!o.initial.file.empty()) {
    first = io::read_model_file(o.initial.file);
  }
  all.recipe = cli::make_recipe(
      o.recipe, train, cli::task_of(o.data), first ? &first->config : nullptr);
  all.recipe.training.seed = all.seeds.front();
  if (o.test) {
    app::check_test_data(all.recipe.model, test);
  }
  app::TrainingFiles files = o.files;
  files.lines = !o.common.json;  // which stands alone
  std::optional<app::InitialModel> initial;
  if (first) {
    initial =
        app::prepare(o.initial, *first, all.recipe, train, test, o.common.threads);
  }
  all.training.emplace(
      files, std::move(train), std::move(test), o.common.threads, context, ranks);
  if (initial) {
    all.training->begin_with(std::move(*initial));
  }
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
    context.say(o.common.json ? all.training->summary_json()
                              : all.training->summary_text());
  }
  return app::Exit::Ok;
}

app::Exit work(const Options& o, app::Context& context) {
  const auto ranks = app::join_ranks(context);
  Prepared all;
  if (ranks == nullptr) {
    prepare(o, context, nullptr, all);
    return train_all(o, context, all);
  }
  const auto refused = app::agree(*ranks, [&] {
    prepare(o, context, ranks.get(), all);
    auto common = all.training->in_common(all.recipe);
    for (const std::int64_t seed : all.seeds) {
      common["seeds"] += format(seed) + " ";
    }
    return common;
  });
  if (refused) {
    return *refused;
  }
  all.training->share(all.recipe);
  return train_all(o, context, all);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-train", "Trains a model whose attention solves optimisation problems."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
