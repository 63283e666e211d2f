#include "oa/report/run_report.h"

#include "oa/base/counted.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/printable.h"
#include "oa/report/rows.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace oa::report {
namespace {

/// The name of class k, or its number if classes have no names.
std::string class_text(std::int64_t k, const std::vector<std::string>& names) {
  return k < std::ssize(names) ? printable(names[static_cast<std::size_t>(k)])
                               : format(k);
}

/// Formats "classes: 0 cat, 1 dog".
std::string names_text(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    text +=
        (k == 0 ? "\nclasses: " : ", ") + std::to_string(k) + " " + printable(names[k]);
  }
  return text + (names.empty() ? "" : "\n");
}

/// Formats the most probable classes: "7  (98.32 %), 9  (1.20 %)".
std::string likeliest(const score::Prediction& p, const ReportSettings& settings) {
  const auto count = static_cast<std::size_t>(std::max(1, settings.top_k));
  std::vector<std::int64_t> order(p.probabilities.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](std::int64_t k) {
    return p.probabilities[static_cast<std::size_t>(k)];
  });
  std::string text;
  for (std::size_t k = 0; k < std::min(order.size(), count); ++k) {
    text += (k > 0 ? ", " : "") + class_text(order[k], settings.classes) + "  (" +
            percentage(p.probabilities[static_cast<std::size_t>(order[k])]) + ")";
  }
  return text;
}

/// Formats the confusion matrix: rows are true classes, columns predictions.
std::string confusion_text(const score::Accuracy& a) {
  std::string text = "\nclass  accuracy    predicted as\n" + std::string(17, ' ');
  for (int predicted = 0; predicted < a.classes(); ++predicted) {
    text += right_aligned(format(predicted), 6);
  }
  text += "\n";
  for (int label = 0; label < a.classes(); ++label) {
    const score::Share own = a.of_class(label);
    text += right_aligned(format(label), 5) +
            right_aligned(own.total > 0 ? percentage(own.value()) : "-", 10) + "  ";
    for (int predicted = 0; predicted < a.classes(); ++predicted) {
      const std::int64_t count = a.confusion(label, predicted);
      text += right_aligned(count == 0 ? "." : format(count), 6);
    }
    text += "\n";
  }
  return text;
}

/// Formats the sum of times, and statistics per problem.
std::string times(const Histogram& seconds) {
  const auto us = [](double s) { return format_fixed(1e6 * s, 2) + " us"; };
  return format_fixed(seconds.sum(), 3) + " s  (a QUBO: " + us(seconds.quantile(0.5)) +
         " median, " + us(seconds.quantile(0.99)) + " 99 %, " + us(seconds.max()) +
         " max)";
}

/// Formats the sum of nodes, and statistics per problem.
std::string nodes_text(const Histogram& nodes) {
  const auto whole = [](double count) { return format_fixed(count, 0); };
  return whole(nodes.sum()) + "  (a QUBO: " + whole(nodes.quantile(0.5)) + " median, " +
         whole(nodes.quantile(0.99)) + " 99 %, " + whole(nodes.max()) + " max)";
}

std::string coefficients_text(const std::string& how) {
  return how.empty() ? ""
                     : row("coefficients",
                           how == "optima"    ? "optima of the problems"
                           : how == "rounded" ? "of the relaxation, rounded"
                                              : how);
}

std::string chosen_text(const score::Sparsity& s) {
  return row("values chosen",
             percentage(s.share(), 1) + "  (a query: " + format_fixed(s.mean(), 2) +
                 " mean, " + format_fixed(s.quantile(0.0), 0) + " min, " +
                 format_fixed(s.quantile(0.5), 0) + " median, " +
                 format_fixed(s.quantile(1.0), 0) + " max)");
}

std::string qubo_text(const score::Run& run) {
  std::string text = row("QUBOs", format_grouped(run.qubos));
  text += row("proved optimal", of_total(run.proved_optimal, run.qubos));
  if (run.encoded > 0) {
    text += row("violated encodings",
                of_total(run.violated, run.encoded) + " coefficients" +
                    (run.violated > 0 ? ", repaired" : ""));
  }
  const score::Sparsity& s = run.sparsity;
  if (s.queries() == 0) {
    return text;  // a model solved them, and kept no solutions
  }
  if (!run.least_squares) {
    text += chosen_text(s);
  }
  text += row("time solving", times(run.seconds));
  if (run.nodes.sum() > 0.0) {
    text += row("nodes searched", nodes_text(run.nodes));
  }
  return text;
}

JsonObject solving_of(const score::Run& run) {
  JsonObject json;
  if (!run.coefficients.empty()) {
    json.member("coefficients", run.coefficients);
  }
  json.members({{"qubos", run.qubos},
                {"proved_optimal", run.proved_optimal},
                {"best_found", run.best_found()},
                {"stopped", run.stopped},
                {"seconds_solving", run.seconds.sum()},
                {"seconds_median", run.seconds.quantile(0.5)},
                {"seconds_p99", run.seconds.quantile(0.99)},
                {"seconds_max", run.seconds.max()}});
  if (run.nodes.count() > 0) {
    const auto whole = [](double count) { return std::llround(count); };
    json.member("nodes", whole(run.nodes.sum()))
        .member("nodes_median", whole(run.nodes.quantile(0.5)))
        .member("nodes_p99", whole(run.nodes.quantile(0.99)))
        .member("nodes_max", whole(run.nodes.max()));
  }
  if (run.encoded > 0) {
    json.member("encoded", run.encoded).member("violated", run.violated);
  }
  return json;
}

JsonObject json_of(const score::Sparsity& s) {
  return {{"ones_fraction", s.share()},
          {"values_mean", s.mean()},
          {"values_min", s.quantile(0.0)},
          {"values_median", s.quantile(0.5)},
          {"values_max", s.quantile(1.0)},
          {"values_by_query", s.by_query()}};
}

std::string wrong_text(const score::Run& run) {
  std::string text = "\nwrong:";
  for (const std::int64_t index : run.wrong) {
    text += " " + format(index);
  }
  return text + "\n";
}

std::string task_text(const score::Run& run, const score::TaskScore& task) {
  const model::Tally& tally = task.tally;
  std::string text = row("examples", format_grouped(task.examples));
  if (!run.complete) {
    text += row("", "INCOMPLETE: examples are missing");
  }
  if (task.text && tally.asked > 0) {
    text += row("bits per character", format_fixed(task.value(), 4));
  }
  if (tally.asked > 0) {
    text += share_row(task.text ? "next characters" : field_text(task.objective),
                      {tally.correct, tally.asked});
  }
  if (tally.classes > 0) {
    text += share_row("classes", {tally.classes_right, tally.classes});
    text += share_row("whole pictures", {tally.pictures_right, tally.pictures});
  }
  return text + coefficients_text(run.coefficients) +
         (run.qubos > 0 ? qubo_text(run) : "");
}

std::string task_json(const score::Run& run,
                      const score::TaskScore& task,
                      const ReportSettings& settings) {
  const model::Tally& tally = task.tally;
  const score::Share share{tally.correct, tally.asked};
  JsonObject json{{"metric", task.metric()},
                  {task.metric(), task.value()},
                  {"examples", task.examples},
                  {"asked", tally.asked},
                  {"correct", tally.correct},
                  {"accuracy", share.value()},
                  {"accuracy_low", share.low()},
                  {"accuracy_high", share.high()}};
  if (tally.classes > 0) {
    json.member("presence", score::Share{tally.classes_right, tally.classes}.value());
    json.member("whole_pictures",
                score::Share{tally.pictures_right, tally.pictures}.value());
  }
  json.members(solving_of(run)).members(json_of(run.sparsity));
  json.member("complete", run.complete);
  if (settings.wrong) {
    json.member("wrong", run.wrong);
  }
  return json.text() + "\n";
}

std::string least_squares_text(const score::Run& run, const score::LeastSquares& s) {
  const auto of_each = [&](double sum) {
    return format_fixed(sum / static_cast<double>(s.problems), 6);
  };
  std::string text = row("problems", format_grouped(s.problems));
  if (!run.complete) {
    text += row("", "INCOMPLETE: problems are missing");
  }
  text += row("residual", of_each(s.residuals) + " mean");
  if (s.errors) {
    const score::LeastSquares::Errors& e = *s.errors;
    text += row("residual of truth", of_each(e.residuals) + " mean");
    text += row("as low as truth", of_total(e.as_low, s.problems));
    text += row("wrong problems", of_total(e.problems, s.problems));
    text += row("wrong symbols", of_total(e.wrong_symbols, e.symbols));
    text += row("wrong bits", of_total(e.wrong_bits, e.bits));
  }
  text += row("coefficients not 0", of_total(s.support, s.coefficients));
  return text + qubo_text(run);
}

std::string least_squares_json(const score::Run& run, const score::LeastSquares& s) {
  const auto share = [](auto count, std::int64_t total) {
    return static_cast<double>(count) / static_cast<double>(total);
  };
  JsonObject json{{"metric", "residual"},
                  {"residual", share(s.residuals, s.problems)},
                  {"support", share(s.support, s.problems)},
                  {"problems", s.problems}};
  if (s.errors) {
    const score::LeastSquares::Errors& e = *s.errors;
    json.members({{"truth_residual", share(e.residuals, s.problems)},
                  {"at_most_truth", e.as_low},
                  {"errors", share(e.problems, s.problems)},
                  {"symbol_errors", share(e.wrong_symbols, e.symbols)},
                  {"bit_errors", share(e.wrong_bits, e.bits)}});
  }
  json.members(solving_of(run));
  json.member("complete", run.complete);
  return json.text() + "\n";
}

}  // namespace

std::string report_text(const score::Run& run, const ReportSettings& settings) {
  if (run.least_squares) {
    return least_squares_text(run, *run.least_squares);
  }
  if (run.task) {
    return task_text(run, *run.task) + (settings.wrong ? wrong_text(run) : "");
  }
  const score::Accuracy& a = run.accuracy;
  const score::Share overall = a.overall();
  std::string text = row("images", format_grouped(a.images()));
  if (!run.complete) {
    text += row("", "INCOMPLETE: images are missing");
  }
  if (run.only) {
    text += row("class", likeliest(*run.only, settings));
  }
  if (overall.total > 0) {
    text += share_row("accuracy", overall);
    if (settings.top_k > 0) {
      text += share_row("within " + format(settings.top_k) + " best",
                        a.within(settings.top_k));
    }
  }
  if (a.images() > 0) {
    text += row("mean confidence", format_fixed(a.mean_confidence(), 4));
  }
  text += coefficients_text(run.coefficients);
  if (run.qubos > 0) {
    text += qubo_text(run);
  }
  if (overall.total > 0) {
    text += confusion_text(a) + names_text(settings.classes);
  }
  return text + (settings.wrong ? wrong_text(run) : "");
}

std::string report_json(const score::Run& run, const ReportSettings& settings) {
  if (run.least_squares) {
    return least_squares_json(run, *run.least_squares);
  }
  if (run.task) {
    return task_json(run, *run.task, settings);
  }
  const score::Accuracy& a = run.accuracy;
  const score::Share overall = a.overall();
  JsonObject json{{"images", a.images()},
                  {"labelled", overall.total},
                  {"correct", overall.count},
                  {"accuracy", overall.value()},
                  {"accuracy_low", overall.low()},
                  {"accuracy_high", overall.high()},
                  {"mean_confidence", a.mean_confidence()}};
  if (settings.top_k > 0) {
    json.member("top_k", settings.top_k);
    json.member("top_k_accuracy", a.within(settings.top_k).value());
  }
  JsonArray per_class;
  JsonArray confusion;
  for (int label = 0; label < a.classes(); ++label) {
    const score::Share own = a.of_class(label);
    per_class.element(JsonObject{{"class", label},
                                 {"labelled", own.total},
                                 {"correct", own.count},
                                 {"accuracy", own.value()}});
    JsonArray row;
    for (int predicted = 0; predicted < a.classes(); ++predicted) {
      row.element(a.confusion(label, predicted));
    }
    confusion.element(row);
  }
  if (run.only) {
    json.members(
        {{"class", run.only->predicted}, {"probabilities", run.only->probabilities}});
  }
  if (!settings.classes.empty()) {
    json.member("classes", settings.classes);
  }
  json.member("per_class", per_class).member("confusion", confusion);
  json.members(solving_of(run)).members(json_of(run.sparsity));
  json.member("complete", run.complete);
  if (settings.wrong) {
    json.member("wrong", run.wrong);
  }
  return json.text() + "\n";
}

std::string solving_text(const score::Run& run,
                         std::int64_t images,
                         const std::string& solver) {
  std::string text = solver + ": " + counted(run.qubos, "QUBO") + " of " +
                     counted(images, "image") + ", " +
                     format_grouped(run.proved_optimal) + " proved optimal";
  if (run.stopped > 0) {
    text += ", " + format_grouped(run.stopped) + " stopped by a limit";
  }
  if (run.violated > 0) {
    text +=
        ", " + format_grouped(run.violated) + " coefficients violate their encoding";
  }
  text += "; " + times(run.seconds);
  if (run.nodes.sum() > 0.0) {
    text += "; nodes " + nodes_text(run.nodes);
  }
  return text + "\n";
}

std::string solving_json(const score::Run& run,
                         std::int64_t images,
                         const std::string& solver) {
  JsonObject json{{"solver", solver}, {"images", images}};
  json.members(solving_of(run));
  json.member("ones_fraction", run.sparsity.share()).member("complete", run.complete);
  return json.text() + "\n";
}

}  // namespace oa::report
