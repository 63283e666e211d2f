#include "oa/report/ingest_report.h"

#include "oa/base/counted.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/report/rows.h"
#include "oa/score/score.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <span>

namespace oa::report {
namespace {

/// Statistics of sorted numbers.
struct Spread {
  double mean = 0.0;
  double median = 0.0;
  double max = 0.0;

  explicit Spread(const std::vector<double>& sorted) {
    if (sorted.empty()) {
      return;
    }
    const std::size_t n = sorted.size();
    mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(n);
    median = 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
    max = sorted.back();
  }
};

/// Formats indices as "3,7,20-29".
std::string list_of(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
      ++last;
    }
    text += (i > 0 ? "," : "") + format(numbers[i]);
    text += last > i ? "-" + format(numbers[last]) : "";
    i = last + 1;
  }
  return text;
}

/// Formats a difference of submitted energies in steps of a coupling's level.
std::string levels(double gap) {
  return format(static_cast<float>(gap / cim::kLevelEnergy));
}

std::string count_row(const std::string& name, std::int64_t count) {
  return count == 0 ? "" : wide_row(name, format_grouped(count));
}

constexpr std::array kColumns{
    "task", "runs", "energy", "optimum", "gap", "levels", "hits", "rate", "ms-to-99%"};
constexpr std::array<std::size_t, 9> kWidths{6, 6, 20, 20, 14, 8, 6, 12, 12};

/// The rate of the task's runs that reach its goal.
score::Share rate_of(const cim::TaskOutcome& t) {
  return {t.reached(), t.runs};
}

/// Milliseconds until a run reaches its goal with a probability of 99 %, at this rate.
std::optional<double> ms_to_99(const cim::TaskOutcome& t, double rate) {
  constexpr double kMissed = 0.01;
  if (!t.run_ms || !(rate > 0.0)) {
    return std::nullopt;
  }
  const double runs = rate < 1.0 ? std::log(kMissed) / std::log1p(-rate) : 1.0;
  return *t.run_ms * std::max(1.0, runs);
}

/// Formats the cells of a table, right-aligned, and the file, if any.
std::string row_of(std::span<const std::string> cells, const std::string& file) {
  std::string row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    row += right_aligned((i > 0 ? " " : "") + cells[i], kWidths.at(i));
  }
  return row + (file.empty() ? "" : "  " + file) + "\n";
}

std::string spread_text(const std::vector<double>& values, const std::string& unit) {
  const Spread s(values);
  return format_fixed(s.mean, 4) + " " + unit + " on average, median " +
         format_fixed(s.median, 4) + ", at most " + format_fixed(s.max, 4) + "  (" +
         counted(std::ssize(values), "report") + ")";
}

JsonObject outcome_json(const cim::TaskOutcome& t) {
  JsonObject json{{"task", t.task}, {"runs", t.runs}};
  if (t.runs == 0) {
    return json;
  }
  const auto optimum = [&](auto value) {
    return t.submitted_proved ? JsonValue(value) : JsonValue();
  };
  const score::Share rate = rate_of(t);
  json.member("distinct", t.distinct)
      .member("best", t.best_submitted)
      .member("best_hits", t.best_hits)
      .member("optimum", optimum(t.submitted_optimum))
      .member("optimum_hits", optimum(t.hits))
      .member("rate", rate.value())
      .member("rate_low", rate.low())
      .member("rate_high", rate.high())
      .member("run_ms", t.run_ms)
      .member("ms_to_99", ms_to_99(t, rate.value()))
      .member("ms_to_99_low", ms_to_99(t, rate.high()))
      .member("ms_to_99_high", ms_to_99(t, rate.low()));
  return json;
}

}  // namespace

std::string ingest_text(const cim::IngestTotals& a) {
  std::string text = wide_row("tasks", format_grouped(a.tasks));
  text += wide_row("received", format_grouped(a.received));
  if (a.missing > 0) {
    text += wide_row(
        "missing", format_grouped(a.missing) + "  (" + list_of(a.missing_tasks) + ")");
  }
  text += count_row("  failed", a.failed);
  if (a.runs > a.received) {
    text += wide_row("runs", format_grouped(a.runs));
  }
  text += count_row("copies of results", a.copies);
  text += count_row("placed by name alone", a.by_name);
  text += count_row("fit no task", a.refuted);
  text += count_row("fit several tasks", a.ambiguous);
  text += count_row("not readable", a.unreadable);
  text += count_row("wrong names", a.renamed);
  text += count_row("other files", a.ignored);
  text += wide_row("energies verified", format_grouped(a.energies_verified));
  if (a.checked > 0) {
    text += wide_row("best is optimal",
                     format_grouped(a.best_is_optimal) + " of " +
                         format_grouped(a.checked) + "  (gap " +
                         levels(a.gap / static_cast<double>(a.checked)) +
                         " levels on average, " + levels(a.gap_max) + " at most)");
    text += wide_row(
        "",
        "also optimal in your own problem: " + format_grouped(a.optimal_in_original) +
            " of " + format_grouped(a.checked));
  }
  text += count_row("too hard to prove", a.unchecked);
  text += count_row("broken copies", a.broken_variables);
  if (!a.run_ms.empty()) {
    text += wide_row("run time", spread_text(a.run_ms, "ms"));
  }
  if (!a.queue_s.empty()) {
    text += wide_row("created to finished", spread_text(a.queue_s, "s"));
  }
  return text;
}

std::string task_header(bool files) {
  const std::vector<std::string> names(kColumns.begin(), kColumns.end());
  return row_of(names, files ? "file" : "");
}

std::string task_row(const cim::TaskOutcome& t, const machine::Single* single) {
  const bool maximised = single != nullptr && single->f.sense == qubo::Sense::Max;
  const auto own = [&](double energy) {
    return format(maximised ? 0.0 - energy : energy);
  };
  std::vector<std::string> cells(kColumns.size(), "-");
  cells[0] = format(t.task);
  cells[1] = format(t.runs);
  if (t.runs > 0) {
    cells[2] = own(t.energy);
    if (std::isfinite(t.bound)) {
      cells[3] = (t.proved ? "" : maximised ? "<=" : ">=") + own(t.bound);
      cells[4] = (t.proved ? "" : "<=") + format(static_cast<float>(t.gap));
    }
    if (t.submitted_proved) {
      cells[5] = levels(t.submitted_gap);
      cells[6] = format(t.hits);
    }
    const score::Share rate = rate_of(t);
    cells[7] = format_fixed(rate.low(), 2) + "-" + format_fixed(rate.high(), 2);
    if (const auto ms = ms_to_99(t, rate.value())) {
      cells[8] = format_fixed(*ms, 3);
    }
  }
  return row_of(cells, single != nullptr ? single->file : "");
}

std::string ingest_json(const cim::IngestTotals& a) {
  const Spread run(a.run_ms);
  const Spread queue(a.queue_s);
  const auto known = [](const std::vector<double>& values, double v) {
    return values.empty() ? JsonValue() : v;
  };
  JsonObject json{
      {"tasks", a.tasks},
      {"received", a.received},
      {"missing", a.missing},
      {"missing_tasks", list_of(a.missing_tasks)},
      {"runs", a.runs},
      {"copies", a.copies},
      {"duplicate", a.duplicate},
      {"failed", a.failed},
      {"by_name", a.by_name},
      {"refuted", a.refuted},
      {"ambiguous", a.ambiguous},
      {"unreadable", a.unreadable},
      {"renamed", a.renamed},
      {"ignored", a.ignored},
      {"energies_verified", a.energies_verified},
      {"checked", a.checked},
      {"best_is_optimal", a.best_is_optimal},
      {"optimal_in_original", a.optimal_in_original},
      {"unchecked", a.unchecked},
      {"gap_mean",
       a.checked == 0 ? JsonValue() : a.gap / static_cast<double>(a.checked)},
      {"gap_max", a.gap_max},
      {"reports", std::ssize(a.run_ms)},
      {"run_ms_mean", known(a.run_ms, run.mean)},
      {"run_ms_median", known(a.run_ms, run.median)},
      {"run_ms_max", known(a.run_ms, run.max)},
      {"queue_s_mean", known(a.queue_s, queue.mean)},
      {"queue_s_median", known(a.queue_s, queue.median)},
      {"queue_s_max", known(a.queue_s, queue.max)},
      {"distinct", a.distinct},
      {"best_hits", a.best_hits},
      {"optimum_runs", a.optimum_runs},
      {"optimum_hits", a.optimum_hits},
      {"broken_solutions", a.broken_solutions},
      {"broken_variables", a.broken_variables}};
  if (!a.outcomes.empty()) {
    JsonArray tasks;
    for (const cim::TaskOutcome& t : a.outcomes) {
      tasks.element(outcome_json(t));
    }
    json.member("by_task", tasks);
  }
  return json.text() + "\n";
}

std::string provenance_json(const machine::SubmittedImage& image,
                            const machine::Submission& submission,
                            const cim::Matcher& matcher) {
  JsonArray list;
  std::set<std::int64_t> seen;
  for (const machine::SubmittedQuery& query : image.queries) {
    const machine::Task* task = submission.find(query.task);
    if (task == nullptr || !seen.insert(query.task).second) {
      continue;
    }
    const auto t = static_cast<std::size_t>(task - submission.tasks.data());
    for (const cim::TaskResult& result : matcher.results(t)) {
      if (result.reports.empty()) {
        list.element(JsonObject{{"task", query.task}});
      }
      for (const machine::Run& run : result.reports) {
        list.element(JsonObject{{"task", query.task},
                                {"id", run.id()},
                                {"machine", run.machine()},
                                {"run_ms", run.run_ms()},
                                {"created", run.created()},
                                {"finished", run.finished()},
                                {"queue_s", run.queue_s()}});
      }
    }
  }
  return list.text();
}

}  // namespace oa::report
