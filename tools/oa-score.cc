// oa-score: turns solutions into classes and says how good they are.  See oa-score(1).
#include "app/evaluate.h"
#include "app/generate.h"
#include "app/join.h"
#include "cli/cli.h"
#include "cli/image_options.h"
#include "oa/base/counted.h"
#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/printable.h"
#include "oa/io/table/scores_csv.h"
#include "oa/report/run_report.h"

#include <string>
#include <vector>

namespace oa {
namespace {

struct Options {
  app::Common common;
  std::vector<std::string> files;
  std::string model;
  app::ImageOptions images;
  bool exact = false;
  bool join = false;
  app::GenerateOptions generate;
  std::string csv;
  std::vector<std::string> compare;
  report::ReportSettings report;
};

/// "oa-score model.bin images"
bool model_is_operand(const Options& o) {
  return o.model.empty() && !o.join && o.files.size() == 2;
}

void declare(cli::App& app, Options& o) {
  cli::add_inputs(
      app, o.files, "Stream of solutions, or a model and the images it is asked about");
  auto* model =
      app.add_option("--model", o.model, "Evaluate this model; FILE has images")
          ->type_name("MODEL");
  auto* exact = app.add_flag(
      "--layer-by-layer", o.exact, "Of a model: the optima of each layer's problems");
  std::vector<cli::Option*> of_models = cli::add_image_choice(app, o.images);
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
  auto* csv = app.add_option("--csv", o.csv, "Write a table of the predictions")
                  ->type_name("CSV");
  auto* compare =
      app.add_option("--compare", o.compare, "Compare two runs: tables or streams")
          ->type_name("A B")
          ->default_str("")
          ->expected(2);
  auto* top =
      app.add_option(
             "--top-k", o.report.top_k, "Also accuracy within the K most probable")
          ->type_name("K")
          ->default_str("")
          ->check(cli::at_least(1));
  auto* wrong = app.add_flag(
      "--wrong", o.report.wrong, "Also the indices of what was answered wrong");
  auto* join =
      app.add_flag("--join", o.join, "Files are shards: see that they make a whole");
  for (cli::Option* other : {app.input_operand, model, csv, top, wrong, join}) {
    compare->excludes(other);
  }
  join->excludes(model)->excludes(generate);
  app.on_parsed([compare, of_models, &o] {
    if (compare->count() != 0 && compare->count() != 2) {
      throw app::UsageError("--compare needs two runs");
    }
    for (const cli::Option* option : of_models) {
      if (option->count() > 0 && o.model.empty() && !model_is_operand(o)) {
        throw app::UsageError(option->name() +
                              " is for a model and images (name both)");
      }
    }
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

/// The one file, where several make no sense.
std::string the_file(const Options& o) {
  if (o.files.size() > 1) {
    throw app::UsageError(o.files.back() + " is one file too many (--join takes many)");
  }
  return o.files.empty() ? "-" : o.files.front();
}

template <class Comparison>
app::Exit compared(const Comparison& result, const Options& o, app::Context& context) {
  write_report(o,
               o.common.json
                   ? report::comparison_json(result)
                   : report::comparison_text(result, o.compare[0], o.compare[1]));
  return context.status(result.only_a + result.only_b == 0);
}

app::Exit compare(const Options& o, app::Context& context) {
  const app::RunResults a = app::read_results(o.compare[0], o.common.threads, context);
  const app::RunResults b = app::read_results(o.compare[1], o.common.threads, context);
  if (a.index() != b.index()) {
    throw InputError(o.compare[a.index() == 0 ? 1 : 0] +
                     ": answers of a task, the other run has predictions of a class "
                     "(expected two of a kind)");
  }
  if (a.index() == 1) {
    return compared(score::compare(std::get<1>(a), std::get<1>(b)), o, context);
  }
  const score::Comparison result = score::compare(std::get<0>(a), std::get<0>(b));
  if (result.images > 0 && result.labelled == 0) {
    context.warn("no labels: accuracies are not compared");
  }
  return compared(result, o, context);
}

app::Exit generate(const Options& o, app::Context& context) {
  app::GenerateOptions options = o.generate;
  options.seed = o.common.seed;
  const app::Generated result = app::generate(the_file(o), options, context);
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

/// What writes the table, of predictions or of answers.
app::Takers tables(io::Output& csv) {
  app::Takers takers;
  takers.prediction = [table = io::ScoresWriter(csv)](
                          const score::Prediction& p) mutable { table.write(p); };
  takers.answer = [&csv, table = std::optional<io::AnswersWriter>()](
                      Objective objective, const io::AnswerRow& row) mutable {
    if (!table) {
      table.emplace(csv, objective);
    }
    table->write(row);
  };
  return takers;
}

/// The files to score, one behind the other; none if they make no whole, which is then
/// reported.
std::vector<std::string> files_to_score(const Options& o, app::Context& context) {
  if (!o.join) {
    return {the_file(o)};
  }
  if (o.files.empty()) {
    throw app::UsageError("--join needs files");
  }
  const app::Joined joined = app::look_at_shards(o.files, context);
  if (joined.complaints.empty()) {
    return joined.files;
  }
  std::string text;
  JsonArray complaints;
  for (const std::string& complaint : joined.complaints) {
    text += printable(complaint) + "\n";
    complaints.element(JsonValue(complaint));
  }
  write_report(
      o,
      o.common.json
          ? JsonObject{{"whole", false}}.member("complaints", complaints).text() + "\n"
          : text);
  return {};
}

app::Exit work(const Options& o, app::Context& context) {
  if (o.generate.count > 0) {
    return generate(o, context);
  }
  if (!o.compare.empty()) {
    return compare(o, context);
  }
  std::optional<io::Output> csv;
  if (!o.csv.empty()) {
    csv.emplace(o.csv);
  }
  score::Run run;
  const app::Takers takers = csv ? tables(*csv) : app::Takers{};
  if (model_is_operand(o) || !o.model.empty()) {
    app::ImageOptions images = o.images;
    images.images = model_is_operand(o) ? o.files[1] : the_file(o);
    app::evaluate_model(model_is_operand(o) ? o.files[0] : o.model,
                        images,
                        o.exact,
                        o.common.threads,
                        context,
                        run,
                        takers);
  } else {
    const std::vector<std::string> files = files_to_score(o, context);
    if (files.empty()) {
      return context.status(false);
    }
    for (const std::string& file : files) {
      app::evaluate_stream(file, o.common.threads, context, run, takers);
    }
  }
  if (context.interrupted()) {
    return app::Exit::Interrupted;
  }
  if (run.task && o.report.top_k > 0) {
    throw app::UsageError("--top-k is for classes of images (the model gives " +
                          field_text(run.task->objective) + ")");
  }
  if (!run.complete) {
    context.warn("the stream is marked incomplete: images are missing");
  }
  if (!run.task && run.accuracy.images() > 1 && run.accuracy.overall().total == 0) {
    context.warn("no labels: the accuracy is not known");
  }
  if (csv) {
    csv->commit();
  }
  report::ReportSettings settings = o.report;
  if (!o.model.empty() || model_is_operand(o)) {
    settings.classes =
        app::class_names_of(model_is_operand(o) ? o.files.front() : o.model);
  }
  if (o.csv != "-" ||
      o.common.output != "-") {  // with both on stdout neither could be read
    write_report(o,
                 o.common.json ? report::report_json(run, settings)
                               : report::report_text(run, settings));
  }
  return context.status(run.complete);
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
