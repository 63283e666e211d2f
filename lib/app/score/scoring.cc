#include "app/score/scoring.h"

#include "app/score/evaluate.h"
#include "app/score/join.h"
#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/printable.h"
#include "oa/io/bytes/output.h"
#include "oa/io/table/scores_csv.h"
#include "oa/report/comparison_report.h"

#include <optional>
#include <utility>

namespace oa::app {
namespace {

template <class Comparison>
ScoreReport compared(const Comparison& result,
                     const std::string& a,
                     const std::string& b,
                     bool json) {
  return {
      json ? report::comparison_json(result) : report::comparison_text(result, a, b),
      result.only_a + result.only_b == 0};
}

/// Writers of a table of predictions or of answers.
Takers tables(io::Output& csv) {
  Takers takers;
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

std::string complaints_text(const std::vector<std::string>& complaints, bool json) {
  std::string text;
  JsonArray list;
  for (const std::string& complaint : complaints) {
    text += printable(complaint) + "\n";
    list.element(JsonValue(complaint));
  }
  return json ? JsonObject{{"whole", false}}.member("complaints", list).text() + "\n"
              : text;
}

void score_model(const ScoringOptions& o,
                 int threads,
                 Context& context,
                 score::Run& run,
                 const Takers& takers) {
  ImageOptions images = o.images;
  images.images = o.model_is_operand() ? o.files[1] : the_file(o.files);
  const std::string& model = o.model_is_operand() ? o.files[0] : o.model;
  evaluate_model(model, images, o.exact, threads, context, run, takers);
}

void warn_of_gaps(const score::Run& run, Context& context) {
  if (!run.complete) {
    context.warn("the stream is marked incomplete: images are missing");
  }
  if (!run.task && !run.least_squares && run.accuracy.images() > 1 &&
      run.accuracy.overall().total == 0) {
    context.warn("no labels: the accuracy is not known");
  }
}

std::string report_of(const ScoringOptions& o, const score::Run& run, bool json) {
  report::ReportSettings settings = o.report;
  if (o.asks_model()) {
    settings.classes = class_names_of(o.model_is_operand() ? o.files.front() : o.model);
  }
  return json ? report::report_json(run, settings) : report::report_text(run, settings);
}

}  // namespace

std::string the_file(const std::vector<std::string>& files) {
  if (files.size() > 1) {
    throw UsageError(files.back() +
                     " is one file too many (only a join takes several)");
  }
  return files.empty() ? "-" : files.front();
}

ScoreReport score(const ScoringOptions& o, bool json, int threads, Context& context) {
  std::optional<io::Output> csv;
  if (!o.csv.empty()) {
    csv.emplace(o.csv);
  }
  score::Run run;
  const Takers takers = csv ? tables(*csv) : Takers{};
  const std::optional<Truth> truth =
      o.truth.empty() ? std::nullopt : std::optional<Truth>(o.truth);
  const StreamScoring how{truth ? &*truth : nullptr, o.marginals};
  if (o.asks_model()) {
    if (truth) {
      throw UsageError("truth", " is for a stream of least squares problems");
    }
    score_model(o, threads, context, run, takers);
  } else if (o.join) {
    if (o.files.empty()) {
      throw UsageError("join", " needs files");
    }
    const Joined joined = look_at_shards(o.files, context);
    if (!joined.complaints.empty()) {
      return {complaints_text(joined.complaints, json), false};
    }
    for (const std::string& file : joined.files) {
      evaluate_stream(file, threads, context, run, takers, how);
    }
  } else {
    evaluate_stream(the_file(o.files), threads, context, run, takers, how);
  }
  if (context.interrupted()) {
    return {};
  }
  if (run.task && o.report.top_k > 0) {
    throw UsageError("top-k",
                     " needs a model of classes (this one predicts " +
                         field_text(run.task->objective) + ")");
  }
  if (run.least_squares && (csv || o.report.top_k > 0 || o.report.wrong)) {
    throw UsageError(csv                  ? "csv"
                     : o.report.top_k > 0 ? "top-k"
                                          : "wrong",
                     " is for models (these are least squares problems)");
  }
  warn_of_gaps(run, context);
  if (csv) {
    csv->commit();
  }
  return {o.only_table ? "" : report_of(o, run, json), run.complete};
}

ScoreReport compare_runs(const std::string& a,
                         const std::string& b,
                         bool json,
                         int threads,
                         Context& context) {
  const RunResults run_a = read_results(a, threads, context);
  const RunResults run_b = read_results(b, threads, context);
  if (run_a.index() != run_b.index()) {
    throw InputError((run_a.index() == 0 ? b : a) +
                     ": answers of a task (the other run has predictions of classes)");
  }
  if (run_a.index() == 1) {
    return compared(score::compare(std::get<1>(run_a), std::get<1>(run_b)), a, b, json);
  }
  const score::Comparison result =
      score::compare(std::get<0>(run_a), std::get<0>(run_b));
  if (result.images > 0 && result.labelled == 0) {
    context.warn("no labels: accuracies are not compared");
  }
  return compared(result, a, b, json);
}

}  // namespace oa::app
