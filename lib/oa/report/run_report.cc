#include "oa/report/run_report.h"

#include "oa/base/counted.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/printable.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace oa::report {
namespace {

std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string percent(double share, int decimals = 2) {
  return std::isnan(share) ? "-" : format_fixed(100.0 * share, decimals) + " %";
}

/// Of a difference of two percentages.
std::string points(double difference) {
  return (difference > 0.0 ? "+" : "") + format_fixed(100.0 * difference, 2);
}

/// "cat", or 0 where classes have no names.
std::string class_text(std::int64_t k, const std::vector<std::string>& names) {
  return k < std::ssize(names) ? printable(names[static_cast<std::size_t>(k)])
                               : format(k);
}

/// Which class is which: "0 cat, 1 dog".
std::string names_text(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    text +=
        (k == 0 ? "\nclasses: " : ", ") + std::to_string(k) + " " + printable(names[k]);
  }
  return text + (names.empty() ? "" : "\n");
}

/// The most probable classes, `count` of them: "7  (98.32 %), 9  (1.20 %)".
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
            percent(p.probabilities[static_cast<std::size_t>(order[k])]) + ")";
  }
  return text;
}

std::string line(const std::string& name, const std::string& value) {
  std::string text = name;
  text.resize(22, ' ');
  return text + value + "\n";
}

std::string of(std::int64_t count, std::int64_t total) {
  return format_grouped(count) + " of " + format_grouped(total);
}

std::string share_line(const std::string& name, const score::Share& share) {
  return line(name,
              percent(share.value()) + "  (" + of(share.count, share.total) +
                  "; 95 %: " + percent(share.low()) + " to " + percent(share.high()) +
                  ")");
}

/// Rows are true classes, columns predictions.
std::string confusion_text(const score::Accuracy& a) {
  std::string text = "\nclass  accuracy    predicted as\n" + std::string(17, ' ');
  for (int predicted = 0; predicted < a.classes(); ++predicted) {
    text += right_aligned(format(predicted), 6);
  }
  text += "\n";
  for (int label = 0; label < a.classes(); ++label) {
    const score::Share own = a.of_class(label);
    text += right_aligned(format(label), 5) +
            right_aligned(own.total > 0 ? percent(own.value()) : "-", 10) + "  ";
    for (int predicted = 0; predicted < a.classes(); ++predicted) {
      const std::int64_t count = a.confusion(label, predicted);
      text += right_aligned(count == 0 ? "." : format(count), 6);
    }
    text += "\n";
  }
  return text;
}

/// Times of problems, in all and each.
std::string times(const Histogram& seconds) {
  const auto us = [](double s) { return format_fixed(1e6 * s, 2) + " us"; };
  return format_fixed(seconds.sum(), 3) + " s  (a QUBO: " + us(seconds.quantile(0.5)) +
         " median, " + us(seconds.quantile(0.99)) + " 99 %, " + us(seconds.max()) +
         " max)";
}

/// Of the search trees of problems: in all and each.
std::string nodes_text(const Histogram& nodes) {
  const auto whole = [](double count) { return format_fixed(count, 0); };
  return whole(nodes.sum()) + "  (a QUBO: " + whole(nodes.quantile(0.5)) + " median, " +
         whole(nodes.quantile(0.99)) + " 99 %, " + whole(nodes.max()) + " max)";
}

std::string qubo_text(const score::Run& run) {
  std::string text = line("QUBOs", format_grouped(run.qubos));
  text += line("proved optimal", of(run.proved_optimal, run.qubos));
  if (run.encoded > 0) {
    text += line("violated encodings",
                 of(run.violated, run.encoded) + " coefficients" +
                     (run.violated > 0 ? ", repaired" : ""));
  }
  const score::Sparsity& s = run.sparsity;
  text += line("values chosen",
               percent(s.share(), 1) + "  (a query: " + format_fixed(s.mean(), 2) +
                   " mean, " + format_fixed(s.quantile(0.0), 0) + " min, " +
                   format_fixed(s.quantile(0.5), 0) + " median, " +
                   format_fixed(s.quantile(1.0), 0) + " max)");
  text += line("time solving", times(run.seconds));
  if (run.nodes.sum() > 0.0) {
    text += line("nodes searched", nodes_text(run.nodes));
  }
  return text;
}

JsonObject solving_of(const score::Run& run) {
  JsonObject json{{"qubos", run.qubos},
                  {"proved_optimal", run.proved_optimal},
                  {"best_found", run.best_found()},
                  {"stopped", run.stopped},
                  {"seconds_solving", run.seconds.sum()},
                  {"seconds_median", run.seconds.quantile(0.5)},
                  {"seconds_p99", run.seconds.quantile(0.99)},
                  {"seconds_max", run.seconds.max()}};
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

JsonArray json_of(const std::vector<score::Quartiles>& all) {
  JsonArray list;
  for (const score::Quartiles& q : all) {
    list.element(JsonObject{
        {"count", q.count}, {"low", q.low}, {"median", q.median}, {"high", q.high}});
  }
  return list;
}

std::string energies_text(const score::EnergyGaps& e) {
  if (e.images == 0) {
    return {};
  }
  std::string text;
  if (e.other > 0) {
    text += line("problems differ", counted(e.other, "image"));
  }
  if (e.problems == 0) {
    return text;
  }
  const auto counted = [&](const std::string& name, std::int64_t count, double most) {
    text +=
        line(name,
             of(count, e.problems) +
                 (count > 0 ? "  (by at most " + format(static_cast<float>(most)) + ")"
                            : ""));
  };
  text += line("same energy", of(e.equal, e.problems));
  counted("lower in A", e.lower_a, e.most_a);
  counted("lower in B", e.lower_b, e.most_b);
  const double mean = e.sum / static_cast<double>(e.problems);
  return text + line("mean of A - B",
                     format(static_cast<float>(mean)) + "  (" +
                         percent(e.distance(), 4) + " of B's)");
}

JsonObject json_of(const score::EnergyGaps& e) {
  const double mean = e.sum / static_cast<double>(e.problems);
  return {{"images", e.images},
          {"other_problems", e.other},
          {"problems", e.problems},
          {"equal", e.equal},
          {"lower_a", e.lower_a},
          {"lower_b", e.lower_b},
          {"most_a", e.most_a},
          {"most_b", e.most_b},
          {"mean_gap", mean},
          {"distance", e.distance()}};
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
  std::string text = line("examples", format_grouped(task.examples));
  if (!run.complete) {
    text += line("", "INCOMPLETE: examples are missing");
  }
  if (task.text && tally.asked > 0) {
    text += line("bits per character", format_fixed(task.value(), 4));
  }
  if (tally.asked > 0) {
    text += share_line(task.text ? "next characters" : field_text(task.objective),
                       {tally.correct, tally.asked});
  }
  if (tally.classes > 0) {
    text += share_line("classes", {tally.classes_right, tally.classes});
    text += share_line("whole pictures", {tally.pictures_right, tally.pictures});
  }
  return text + (run.qubos > 0 ? qubo_text(run) : "");
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

}  // namespace

std::string report_text(const score::Run& run, const ReportSettings& settings) {
  if (run.task) {
    return task_text(run, *run.task) + (settings.wrong ? wrong_text(run) : "");
  }
  const score::Accuracy& a = run.accuracy;
  const score::Share overall = a.overall();
  std::string text = line("images", format_grouped(a.images()));
  if (!run.complete) {
    text += line("", "INCOMPLETE: images are missing");
  }
  if (run.only) {
    text += line("class", likeliest(*run.only, settings));
  }
  if (overall.total > 0) {
    text += share_line("accuracy", overall);
    if (settings.top_k > 0) {
      text += share_line("within " + format(settings.top_k) + " best",
                         a.within(settings.top_k));
    }
  }
  if (a.images() > 0) {
    text += line("mean confidence", format_fixed(a.mean_confidence(), 4));
  }
  if (run.qubos > 0) {
    text += qubo_text(run);
  }
  if (overall.total > 0) {
    text += confusion_text(a) + names_text(settings.classes);
  }
  return text + (settings.wrong ? wrong_text(run) : "");
}

std::string report_json(const score::Run& run, const ReportSettings& settings) {
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

std::string comparison_text(const score::Comparison& c,
                            const std::string& a,
                            const std::string& b) {
  std::string text = line("A", a) + line("B", b);
  text += line("images in both", format_grouped(c.images));
  if (c.only_a + c.only_b > 0) {
    text +=
        line("in one alone",
             format_grouped(c.only_a) + " in A, " + format_grouped(c.only_b) + " in B");
  }
  text += share_line("same prediction", {c.agree, c.images});
  text += energies_text(c.energy);
  if (c.labelled == 0) {
    return text;
  }
  text += share_line("accuracy of A", {c.right_a, c.labelled});
  text += share_line("accuracy of B", {c.right_b, c.labelled});
  text += line("A less B",
               points(c.accuracy_difference()) +
                   " points  (95 %: " + points(c.difference_low()) + " to " +
                   points(c.difference_high()) + ")");
  text += line("only A right", format_grouped(c.a_not_b));
  text += line("only B right", format_grouped(c.b_not_a));
  text += line("McNemar's p", format(static_cast<float>(c.mcnemar_p)));
  text +=
      "\nprobability of the true class: lower quartile, median, upper quartile\n"
      "class        A                         B\n";
  const auto cells = [](const score::Quartiles& q) {
    std::string row;
    for (const double v : {q.low, q.median, q.high}) {
      row += right_aligned(std::isnan(v) ? "-" : format_fixed(v, 4), 8);
    }
    return row;
  };
  for (std::size_t k = 0; k < std::min(c.confidence_a.size(), c.confidence_b.size());
       ++k) {
    text += right_aligned(std::to_string(k), 5) + cells(c.confidence_a[k]) + "  " +
            cells(c.confidence_b[k]) + "\n";
  }
  return text;
}

std::string comparison_text(const score::TaskComparison& c,
                            const std::string& a,
                            const std::string& b) {
  std::string text = line("A", a) + line("B", b);
  text += line("examples in both", format_grouped(c.examples));
  if (c.only_a + c.only_b > 0) {
    text +=
        line("in one alone",
             format_grouped(c.only_a) + " in A, " + format_grouped(c.only_b) + " in B");
  }
  text += energies_text(c.energy);
  if (c.asked == 0) {
    return text;
  }
  const auto points = [](double v) { return format_fixed(100.0 * v, 2); };
  const auto bits = [](double v) { return format_fixed(v, 4); };
  const auto interval = [](const score::Estimate& e, const auto& number) {
    return std::isnan(e.low)
               ? ""
               : "  (95 %: " + number(e.low) + " to " + number(e.high) + ")";
  };
  text += share_line("right answers of A", {c.right_a, c.asked});
  text += share_line("right answers of B", {c.right_b, c.asked});
  text += line("A less B",
               points(c.difference.value) + " points" + interval(c.difference, points));
  if (!std::isnan(c.bits_a)) {
    text += line("bits by answer of A", bits(c.bits_a));
    text += line("bits by answer of B", bits(c.bits_b));
    text += line("A less B",
                 bits(c.bits_difference.value) + interval(c.bits_difference, bits));
  }
  return text;
}

std::string comparison_json(const score::TaskComparison& c) {
  JsonObject json{{"examples", c.examples},
                  {"only_a", c.only_a},
                  {"only_b", c.only_b},
                  {"asked", c.asked},
                  {"accuracy_a", score::Share{c.right_a, c.asked}.value()},
                  {"accuracy_b", score::Share{c.right_b, c.asked}.value()},
                  {"accuracy_difference", c.difference.value},
                  {"accuracy_difference_low", c.difference.low},
                  {"accuracy_difference_high", c.difference.high}};
  if (c.energy.images > 0) {
    json.member("energy", json_of(c.energy));
  }
  if (!std::isnan(c.bits_a)) {
    json.member("bits_a", c.bits_a);
    json.member("bits_b", c.bits_b);
    json.member("bits_difference", c.bits_difference.value);
    json.member("bits_difference_low", c.bits_difference.low);
    json.member("bits_difference_high", c.bits_difference.high);
  }
  return json.text() + "\n";
}

std::string comparison_json(const score::Comparison& c) {
  const auto share = [](std::int64_t count, std::int64_t total) {
    return score::Share{count, total}.value();
  };
  JsonObject json{{"images", c.images},
                  {"only_a", c.only_a},
                  {"only_b", c.only_b},
                  {"agree", c.agree},
                  {"agreement", share(c.agree, c.images)},
                  {"labelled", c.labelled},
                  {"accuracy_a", share(c.right_a, c.labelled)},
                  {"accuracy_b", share(c.right_b, c.labelled)},
                  {"accuracy_difference", c.accuracy_difference()},
                  {"difference_low", c.difference_low()},
                  {"difference_high", c.difference_high()},
                  {"a_not_b", c.a_not_b},
                  {"b_not_a", c.b_not_a},
                  {"mcnemar_p", c.mcnemar_p},
                  {"confidence_a", json_of(c.confidence_a)},
                  {"confidence_b", json_of(c.confidence_b)}};
  if (c.energy.images > 0) {
    json.member("energy", json_of(c.energy));
  }
  return json.text() + "\n";
}

}  // namespace oa::report
