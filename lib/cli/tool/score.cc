#include "cli/tool/score.h"

#include "cli/image_options.h"
#include "oa/base/counted.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"

#include <array>

namespace oa::cli {
namespace {

void write_report(const ScoreOptions& o, const std::string& text) {
  io::Output output(o.common.output);
  output.write(text);
  output.commit();
}

app::Exit generate(const ScoreOptions& o, app::Context& context) {
  app::GenerateOptions options = o.generate;
  options.seed = o.common.seed;
  const app::Generated result =
      app::generate(app::the_file(o.scoring.files), options, context);
  write_report(o,
               o.common.json ? JsonObject{{"text", result.text},
                                          {"qubos", result.qubos},
                                          {"proved_optimal", result.proved}}
                                       .text() +
                                   "\n"
                             : result.text + "\n");
  if (!o.common.json && result.qubos > 0) {
    context.say(counted(result.qubos, "QUBO") + ", " + format_grouped(result.proved) +
                " proved optimal\n");
  }
  return context.status(true);
}

}  // namespace

void declare(App& app, ScoreOptions& o) {
  add_inputs(app, o.scoring.files, "Stream of solutions, or a model and its images");
  auto* model = app.add_option(
      "--model MODEL", o.scoring.model, "Evaluate this model on the images of FILE");
  auto* exact = app.add_switch("--layer-by-layer",
                               o.scoring.exact,
                               "Solve the problems of each layer exactly; =false: "
                               "round relaxations (default: as the model was trained)");
  const ImageChoice images = add_image_choice(app, o.scoring.images);
  const std::array of_models{images.labels,
                             images.first,
                             images.fit,
                             images.invert,
                             images.index,
                             images.stride,
                             images.coefficients,
                             images.levels,
                             exact};
  auto* generate =
      app.add_option("--generate N",
                     o.generate.count,
                     "Continue a text by N characters, by a model of texts")
          ->default_str("")
          ->check(between(1, 1'000'000'000))
          ->excludes(model);
  auto* prompt =
      app.add_option("--prompt TEXT", o.generate.prompt, "Beginning of that text")
          ->needs(generate);
  generate->needs(prompt);
  app.add_option("--temperature X",
                 o.generate.temperature,
                 "Temperature of random characters (0: the most probable)")
      ->check(not_negative())
      ->needs(generate);
  add_seed(app, o.common);
  auto* csv =
      app.add_option("--csv CSV", o.scoring.csv, "Write a table of the predictions");
  auto* compare =
      app.add_option("--compare A B", o.compare, "Compare two runs, tables or streams")
          ->default_str("")
          ->expected(2);
  auto* top = app.add_option("--top-k K",
                             o.scoring.report.top_k,
                             "Also report the accuracy within the K most probable")
                  ->default_str("")
                  ->check(at_least(1));
  auto* wrong = app.add_flag(
      "--wrong", o.scoring.report.wrong, "Also list the indices of wrong predictions");
  auto* truth = app.add_option("--truth FILE",
                               o.scoring.truth,
                               "True coefficients of least squares problems, .npy")
                    ->default_str("");
  auto* marginals = app.add_flag("--marginals",
                                 o.scoring.marginals,
                                 "Take the samples of a stream, not its solutions");
  auto* join = app.add_flag(
      "--join", o.scoring.join, "Join shards, checking that they are complete");
  for (Option* other :
       {app.input_operand, model, csv, top, wrong, truth, marginals, join}) {
    compare->excludes(other);
  }
  join->excludes(model)->excludes(generate);
  for (Option* of_predictions : {csv, top, wrong}) {
    of_predictions->excludes(generate);
  }
  for (Option* of_streams : {truth, marginals}) {
    of_streams->excludes(model)->excludes(generate);
  }
  app.on_parsed([compare, of_models, &o] {
    if (compare->count() != 0 && compare->count() != 2) {
      throw app::UsageError("--compare needs two runs");
    }
    for (const Option* option : of_models) {
      if (option->count() > 0 && !o.scoring.asks_model()) {
        throw app::UsageError(option->name() +
                              " is for a model and images (name both)");
      }
    }
    o.scoring.only_table = o.scoring.csv == "-" && o.common.output == "-";
  });
  add_output(app, o.common, "Write the report to this file");
  add_threads(app, o.common);
  add_json(app, o.common, "Write the report as one JSON object");
}

app::Exit work(const ScoreOptions& o, app::Context& context) {
  if (o.generate.count > 0) {
    return generate(o, context);
  }
  const app::ScoreReport result =
      o.compare.empty() ? app::score(o.scoring, context)
                        : app::compare_runs(o.compare[0], o.compare[1], context);
  if (context.interrupted()) {
    return app::Exit::Interrupted;
  }
  if (!result.text.empty()) {
    write_report(o, result.text);
  }
  return context.status(result.complete);
}

}  // namespace oa::cli
