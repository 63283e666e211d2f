// oa-score: turns solutions into classes and says how good they are.  See oa-score(1).
#include "app/score/generate.h"
#include "app/score/scoring.h"
#include "cli/cli.h"
#include "cli/image_options.h"
#include "oa/base/counted.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"

#include <string>
#include <vector>

namespace oa {
namespace {

struct Options {
  app::Common common;
  app::ScoringOptions scoring;
  app::GenerateOptions generate;
  std::vector<std::string> compare;
};

void declare(cli::App& app, Options& o) {
  cli::add_inputs(app,
                  o.scoring.files,
                  "Stream of solutions, or a model and the images it is asked about");
  auto* model =
      app.add_option("--model", o.scoring.model, "Evaluate this model; FILE has images")
          ->type_name("MODEL");
  auto* exact = app.add_switch("--layer-by-layer",
                               o.scoring.exact,
                               "Of a model: the optima of each layer's problems; "
                               "=false: rounded (default: as the model was trained)");
  std::vector<cli::Option*> of_models = cli::add_image_choice(app, o.scoring.images);
  of_models.push_back(exact);
  auto* generate =
      app.add_option("--generate",
                     o.generate.count,
                     "Continue a text by N characters; the file is a model")
          ->type_name("N")
          ->default_str("")
          ->check(cli::between(1, 1'000'000'000))
          ->excludes(model);
  auto* prompt =
      app.add_option("--prompt", o.generate.prompt, "What the text begins with")
          ->type_name("TEXT")
          ->needs(generate);
  generate->needs(prompt);
  app.add_option("--temperature",
                 o.generate.temperature,
                 "Of characters drawn; 0: the most probable")
      ->type_name("X")
      ->check(cli::at_least(0))
      ->needs(generate);
  cli::add_seed(app, o.common);
  auto* csv = app.add_option("--csv", o.scoring.csv, "Write a table of the predictions")
                  ->type_name("CSV");
  auto* compare =
      app.add_option("--compare", o.compare, "Compare two runs: tables or streams")
          ->type_name("A B")
          ->default_str("")
          ->expected(2);
  auto* top = app.add_option("--top-k",
                             o.scoring.report.top_k,
                             "Also accuracy within the K most probable")
                  ->type_name("K")
                  ->default_str("")
                  ->check(cli::at_least(1));
  auto* wrong = app.add_flag(
      "--wrong", o.scoring.report.wrong, "Also the indices of what was answered wrong");
  auto* join = app.add_flag(
      "--join", o.scoring.join, "Files are shards: see that they make a whole");
  for (cli::Option* other : {app.input_operand, model, csv, top, wrong, join}) {
    compare->excludes(other);
  }
  join->excludes(model)->excludes(generate);
  app.on_parsed([compare, of_models, &o] {
    if (compare->count() != 0 && compare->count() != 2) {
      throw app::UsageError("--compare needs two runs");
    }
    for (const cli::Option* option : of_models) {
      if (option->count() > 0 && !o.scoring.asks_model()) {
        throw app::UsageError(option->name() +
                              " is for a model and images (name both)");
      }
    }
    o.scoring.only_table = o.scoring.csv == "-" && o.common.output == "-";
  });
  cli::add_output(app, o.common, "Where the report goes");
  cli::add_threads(app, o.common);
  cli::add_json(app, o.common, "Report in one JSON object");
}

void write_report(const Options& o, const std::string& text) {
  io::Output output(o.common.output);
  output.write(text);
  output.commit();
}

app::Exit generate(const Options& o, app::Context& context) {
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

app::Exit work(const Options& o, app::Context& context) {
  if (o.generate.count > 0) {
    return generate(o, context);
  }
  const app::Common& common = o.common;
  const app::Verdict verdict =
      o.compare.empty()
          ? app::score(o.scoring, common.json, common.threads, context)
          : app::compare_runs(
                o.compare[0], o.compare[1], common.json, common.threads, context);
  if (context.interrupted()) {
    return app::Exit::Interrupted;
  }
  if (!verdict.text.empty()) {
    write_report(o, verdict.text);
  }
  return context.status(verdict.complete);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-score", "Classifies images by the solutions of their problems, and counts."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
