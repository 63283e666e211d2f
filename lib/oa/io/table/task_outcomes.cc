#include "oa/io/table/task_outcomes.h"

#include "oa/io/bytes/lines.h"
#include "oa/io/table/json_fields-inl.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace oa::io {
namespace {

using OutcomeJson = nlohmann::json;

constexpr std::string_view kBegin = R"({"tasks":)";

std::optional<double> real_at(const OutcomeJson& object, const char* name) {
  const OutcomeJson& member = member_of(object, name);
  return member.is_number() ? std::optional(member.get<double>()) : std::nullopt;
}

std::optional<std::int64_t> count_at(const OutcomeJson& object, const char* name) {
  const OutcomeJson& member = member_of(object, name);
  return member.is_number_unsigned() ? std::optional(member.get<std::int64_t>())
                                     : std::nullopt;
}

/// Reads a task with runs; returns nothing for another object.
std::optional<TaskRow> row_of(const OutcomeJson& object) {
  const auto runs = count_at(object, "runs");
  const auto best = real_at(object, "best");
  TaskRow row;
  row.optimum = real_at(object, "optimum");
  const auto hits = count_at(object, row.optimum ? "optimum_hits" : "best_hits");
  if (!runs || !best || !hits || *hits > *runs || !std::isfinite(*best) ||
      (row.optimum && *row.optimum > *best)) {
    return std::nullopt;
  }
  row.runs = *runs;
  row.best = *best;
  row.hits = *hits;
  if (const auto ms = real_at(object, "ms_to_99"); ms && *ms >= 0.0) {
    row.seconds_to_99 = 1e-3 * *ms;
  }
  return row;
}

}  // namespace

bool has_task_rows(Input& input) {
  const auto begin = input.peek(kBegin.size());
  return begin.size() >= kBegin.size() &&
         std::ranges::equal(begin.first(kBegin.size()),
                            std::as_bytes(std::span(kBegin)));
}

std::vector<TaskRow> read_task_rows(Input& input) {
  LineReader lines(input);
  std::string_view line;
  (void)lines.next(line);
  const OutcomeJson json = OutcomeJson::parse(line, nullptr, false);
  const OutcomeJson& tasks = member_of(json, "by_task");
  if (!tasks.is_array()) {
    lines.fail("no by_task (expected what oa-cim-ingest --tasks --json prints)");
  }
  std::vector<TaskRow> all;
  for (const OutcomeJson& task : tasks) {
    if (count_at(task, "runs") == 0) {
      continue;
    }
    const auto row = row_of(task);
    if (!row) {
      lines.fail("task " + std::to_string(&task - &tasks.front()) +
                 " of by_task: not runs with their best energy and hits");
    }
    all.push_back(*row);
  }
  if (all.empty()) {
    lines.fail("no task has runs");
  }
  return all;
}

}  // namespace oa::io
