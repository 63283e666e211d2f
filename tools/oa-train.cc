// oa-train: trains models of attention by optimisation.  See oa-train(1).
#include "app/ranks.h"
#include "app/train_models.h"
#include "cli/cli.h"
#include "cli/train_options.h"
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
  app::TrainRequest request;
  std::optional<IndexSet> seeds;
};

/// Those of --seeds, or else --seed.
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

void declare(cli::App& app, Options& o) {
  o.common.output.clear();  // no default
  cli::add_data(app, o.data);
  cli::add_output(app, o.common, "Where the model goes")->required();
  cli::add_recipe(app, o.recipe);
  cli::add_initial(app, o.request.initial);
  auto* resume = app.add_option("--resume",
                                o.request.files.resume,
                                "Go on from a checkpoint, if it is there")
                     ->type_name("FILE");
  app.add_option(
         "--checkpoint", o.request.files.checkpoint, "Saved after epochs and on SIGINT")
      ->type_name("FILE");
  app.add_option("--log",
                 o.request.files.logs.json,
                 "Log of the training, a JSON object a line")
      ->type_name("FILE");
  app.add_option("--csv", o.request.files.logs.csv, "Table of the epochs")
      ->type_name("FILE");
  app.add_option(
         "--tensorboard", o.request.files.logs.tensorboard, "Events for TensorBoard")
      ->type_name("DIR");
  app.add_flag(
      "--test", o.request.test, "Evaluate the test images too, after every epoch");
  auto* seed = cli::add_seed(app, o.common);
  cli::add_indices(app, "--seeds", o.seeds, "One model for each seed, MODEL.SEED.bin")
      ->excludes(seed)
      ->excludes(resume);
  cli::add_threads(app, o.common);
  // Nothing else goes to standard output.
  app.add_flag(
      "--json",
      o.common.json,
      o.common.json_file,
      "The summary is one JSON object on standard output; --json=FILE: in that file");
  app.on_parsed([&o] {
    if (o.common.output == "-") {
      throw app::UsageError("a model is not written to standard output (name a file)");
    }
    o.request.seeds = seeds_of(o);
    o.request.name_seeds = o.seeds.has_value();
    o.request.files.lines = !o.common.json;  // which stands alone
    if (o.common.json && o.common.json_file.empty()) {
      o.common.json_file = "-";
    }
  });
}

app::Exit work(const Options& o, app::Context& context) {
  app::TrainRequest request = o.request;
  request.read = [&o](Split split, const Selection& selection) {
    return cli::read_data(o.data, split, o.common.threads, selection);
  };
  request.recipe = [&o](const Dataset& data,
                        int examples,
                        const model::Config* initial) {
    return cli::make_recipe(o.recipe, data, examples, cli::task_of(o.data), initial);
  };
  request.classes = [&o] { return cli::class_names(o.data); };
  return app::train_models(request, o.common, context);
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
