// oa-train: trains models of attention by optimisation.  See oa-train(1).
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
  auto* resume = app.add_option("--resume", o.files.resume, "Go on from a checkpoint")
                     ->type_name("FILE");
  app.add_option("--checkpoint", o.files.checkpoint, "Saved after epochs and on SIGINT")
      ->type_name("FILE");
  app.add_option("--log", o.files.log, "Log of the training, one JSON object per line")
      ->type_name("FILE");
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

app::Exit work(const Options& o, app::Context& context) {
  if (o.common.output == "-") {
    throw app::UsageError("a model is not written to standard output (name a file)");
  }
  const std::vector<std::int64_t> seeds = seeds_of(o);
  // Opens all outputs before the training, which may take an hour, so that it is not
  // lost.
  std::vector<io::Output> outputs;
  for (const std::int64_t seed : seeds) {
    outputs.emplace_back(o.seeds ? app::with_seed(o.common.output, seed)
                                 : o.common.output);
  }
  const Dataset train = cli::read_data(o.data, Split::Train, o.common.threads);
  const Dataset test =
      o.test ? cli::read_data(o.data, Split::Test, o.common.threads) : Dataset{};
  std::optional<model::Model> first;
  if (!o.initial.file.empty()) {
    first = io::read_model_file(o.initial.file);
  }
  train::Recipe recipe =
      cli::make_recipe(o.recipe, train, cli::task_of(o.data), first ? &first->config : nullptr);
  if (o.test) {
    app::check_test_data(recipe.model, test);
  }
  app::Training training(o.files, train, test, o.common.threads, context);
  std::optional<app::InitialModel> initial;
  if (first) {
    initial = app::prepare(o.initial, *first, recipe, train, test, o.common.threads);
    training.begin_with(*initial);
  }
  for (std::size_t k = 0; k < seeds.size(); ++k) {
    recipe.training.seed = seeds[k];
    const auto trained = training.run(recipe, o.seeds.has_value());
    if (!trained) {
      return context.status(false);
    }
    io::write_model(outputs[k], trained->model, trained->metadata);
    outputs[k].commit();
  }
  context.say(o.common.json ? training.summary_json() : training.summary_text());
  return app::Exit::Ok;
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
