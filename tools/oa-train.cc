// oa-train: trains models of attention by optimisation.  See oa-train(1).
#include "app/train/models.h"
#include "app/train/ranks.h"
#include "cli/cli.h"
#include "cli/train_options.h"
#include "cli/training_files.h"

#include <map>
#include <optional>
#include <string>

namespace oa {
namespace {

struct Options {
  app::Common common;
  app::DataOptions data;
  app::RecipeOptions recipe;
  app::TrainRequest request;
  std::optional<IndexSet> seeds;
};

void declare(cli::App& app, Options& o) {
  o.common.output.clear();  // no default
  cli::add_data(app, o.data);
  cli::add_output(app, o.common, "Write the model to this file")->required();
  cli::add_recipe(app, o.recipe);
  cli::add_initial(app, o.request.initial);
  auto* resume = cli::add_training_files(app, o.request.files);
  app.add_flag(
      "--test", o.request.test, "Evaluate the test data too, after every epoch");
  auto* seed = cli::add_seed(app, o.common);
  cli::add_indices(
      app, "--seeds", o.seeds, "Train one model for each seed, MODEL.SEED.bin")
      ->excludes(seed)
      ->excludes(resume);
  cli::add_threads(app, o.common);
  // Standard output is free for JSON.
  app.add_flag("--json",
               o.common.json,
               o.common.json_file,
               "Write the summary as a JSON object to standard output (--json=FILE: to "
               "this file)");
  app.on_parsed([&app, &o] {
    if (o.common.output == "-") {
      throw app::UsageError("cannot write a model to standard output (name a file)");
    }
    cli::check_distinct(o.request.files, o.common.output);
    if (cli::asks_for_best(o.recipe, o.request.files)) {
      cli::check_asks_for_best(app);
    }
    o.request.seeds = cli::seeds_of(o.seeds, o.common.seed);
    o.request.name_seeds = o.seeds.has_value();
    o.request.files.lines = !o.common.json;  // with --json, only JSON
    if (o.common.json && o.common.json_file.empty()) {
      o.common.json_file = "-";
    }
  });
}

app::Exit work(const Options& o, app::Context& context) {
  if (cli::asks_for_best(o.recipe, o.request.files)) {
    return app::write_best_model(o.request.files.resume, context);
  }
  app::TrainRequest request = o.request;
  request.read = [&o](Split split, const Selection& selection) {
    return app::read_data(o.data, split, o.common.threads, selection);
  };
  request.recipe =
      [&o](const Dataset& data, int examples, const model::Config* initial) {
        train::Recipe recipe =
            app::make_recipe(o.recipe, data, examples, app::task_of(o.data), initial);
        app::record_form(o.data, recipe.model);
        return recipe;
      };
  request.classes = [&o] { return app::class_names(o.data); };
  return app::train_models(request, context);
}

/// Only one of several processes with this command line reports its error.
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
