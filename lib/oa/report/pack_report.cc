#include "oa/report/pack_report.h"

#include "oa/base/counted.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/report/rows.h"

#include <array>

namespace oa::report {
namespace {

double mean(double sum, std::int64_t count) {
  return count == 0 ? 0.0 : sum / static_cast<double>(count);
}

std::string share(std::int64_t count, std::int64_t total) {
  return format_grouped(count) + "  (" +
         format_fixed(100.0 * mean(static_cast<double>(count), total), 2) + " %)";
}

std::string range(int low, int high) {
  return low == high ? format(low) : format(low) + " to " + format(high);
}

/// "174 problems need 1 auxiliary spin; 3 problems need 2 auxiliary spins".
std::string auxiliaries_text(const cim::PackTotals& t) {
  std::string text;
  for (std::size_t k = 0; k < t.auxiliaries.size(); ++k) {
    if (t.auxiliaries[k] > 0) {
      text += (text.empty() ? "" : "; ") + format_grouped(t.auxiliaries[k]) +
              (t.auxiliaries[k] == 1 ? " problem needs " : " problems need ") +
              (k == 0 ? "no" : format(static_cast<std::int64_t>(k))) +
              (k <= 1 ? " auxiliary spin" : " auxiliary spins");
    }
  }
  return text.empty() ? "none" : text;
}

}  // namespace

std::string pack_text(const cim::PackTotals& t, std::int64_t written) {
  const auto mean_of = [&](std::int64_t sum, std::int64_t count) {
    return mean(static_cast<double>(sum), count);
  };
  std::string text = wide_row("problems", format_grouped(t.problems));
  text += wide_row(
      "tasks",
      format_grouped(t.tasks) +
          (written == t.tasks ? ""
                              : "  (" + format_grouped(written) + " of them written)"));
  text += wide_row("spins of a task",
                   format_fixed(mean_of(t.spins, t.tasks), 1) + " on average, " +
                       format(t.spins_max) + " at most");
  text +=
      wide_row("left to the machine",
               format_fixed(mean_of(t.free_variables, t.problems), 1) +
                   " free variables a problem; " + format_grouped(t.fixed_whole) +
                   " of " + format_grouped(t.problems) + " solved without the machine");
  text += wide_row(
      "scale", format_fixed(t.scale_min, 3) + " to " + format_fixed(t.scale_max, 3));
  text +=
      wide_row("bits of couplings", range(t.coupling_bits_min, t.coupling_bits_max));
  text += wide_row("bits of fields", format(t.field_bits_max) + " at most");
  text += wide_row("couplings lost", share(t.couplings_lost, t.couplings));
  text += wide_row("worst error", format_fixed(t.worst_error, 3) + " levels");
  text += wide_row("not rounded", share(t.whole, t.problems));
  text += wide_row("auxiliary spins", auxiliaries_text(t));
  text += wide_row("fields cut", share(t.clipped, t.problems));
  text += wide_row("scale searched", share(t.searched, t.problems));
  if (t.split > 0) {
    text += wide_row(
        "split", share(t.split, t.problems) + ", " + counted(t.copies, "more spin"));
  }
  const std::int64_t checked = t.problems - t.unchecked;
  text +=
      wide_row("optimum kept",
               "all rounded optima are true optima: " + share(t.kept_every, checked));
  text += wide_row("", "the first is: " + share(t.kept_first, checked));
  text += wide_row("", "at least one is: " + share(t.kept_some, checked));
  if (t.unchecked > 0) {
    text += wide_row("too hard to prove", format_grouped(t.unchecked));
  }
  text += wide_row("energy lost by rounding",
                   format(static_cast<float>(mean(t.energy_lost, checked))) +
                       " on average, " + format(static_cast<float>(t.energy_lost_max)) +
                       " at most");
  return text;
}

std::string pack_json(const cim::PackTotals& t, std::int64_t written) {
  const auto mean_of = [&](std::int64_t sum, std::int64_t count) {
    return mean(static_cast<double>(sum), count);
  };
  const JsonObject json{
      {"images", t.images},
      {"problems", t.problems},
      {"tasks", t.tasks},
      {"written", written},
      {"spins_mean", mean_of(t.spins, t.tasks)},
      {"spins_max", t.spins_max},
      {"free_variables_mean", mean_of(t.free_variables, t.problems)},
      {"solved_already", t.fixed_whole},
      {"scale_min", t.scale_min},
      {"scale_max", t.scale_max},
      {"coupling_bits_min", t.coupling_bits_min},
      {"coupling_bits_max", t.coupling_bits_max},
      {"field_bits_max", t.field_bits_max},
      {"couplings", t.couplings},
      {"couplings_lost", t.couplings_lost},
      {"worst_error", t.worst_error},
      {"auxiliary_spins",
       JsonObject{{"0", t.auxiliaries[0]},
                  {"1", t.auxiliaries[1]},
                  {"2", t.auxiliaries[2]},
                  {"4", t.auxiliaries[4]},
                  {"8", t.auxiliaries[8]}}},
      {"not_rounded", t.whole},
      {"fields_cut", t.clipped},
      {"scale_searched", t.searched},
      {"unchecked", t.unchecked},
      {"kept_some", t.kept_some},
      {"kept_first", t.kept_first},
      {"kept_every", t.kept_every},
      {"energy_lost_mean", mean(t.energy_lost, t.problems - t.unchecked)},
      {"energy_lost_max", t.energy_lost_max},
      {"split", t.split},
      {"copies", t.copies}};
  return json.text() + "\n";
}

namespace {

std::string plan_line(const std::array<std::string, 5>& cells,
                      const std::string& last) {
  constexpr std::array<std::size_t, 5> kPlanWidths{8, 7, 9, 9, 16};
  std::string line = left_aligned(cells[0], kPlanWidths[0]);
  for (std::size_t k = 1; k < cells.size(); ++k) {
    line += right_aligned(cells.at(k), kPlanWidths.at(k));
  }
  return line + "  " + last + "\n";
}

}  // namespace

PlanRow plan_row(const std::string& precision,
                 const machine::PackedQuery& q,
                 const std::string& problem) {
  PlanRow row;
  row.precision = precision;
  row.problem = problem;
  row.keeps = "unknown";
  row.spins = q.block ? q.block->spins() - (q.effort.auxiliaries == 0 ? 1 : 0) : 0;
  row.copies = q.block ? q.block->n - q.free() : 0;
  if (q.kept.known) {
    row.keeps = q.kept.every   ? "every"
                : q.kept.first ? "the first"
                : q.kept.some  ? "one"
                               : "none";
    row.energy_lost = q.energy_lost;
  }
  return row;
}

std::string plan_text(std::span<const PlanRow> rows) {
  std::string text;
  for (const PlanRow& row : rows) {
    text +=
        row.why_not.empty()
            ? plan_line({row.precision,
                         format(row.spins),
                         format(row.copies),
                         row.keeps,
                         row.energy_lost ? format(static_cast<float>(*row.energy_lost))
                                         : "-"},
                        row.problem)
            : plan_line({row.precision, "-", "-", "-", "-"}, row.why_not);
  }
  return text;
}

std::string plan_header() {
  return plan_line({"", "spins", "copies", "keeps", "energy lost"}, "problem");
}

std::string plan_json(std::span<const PlanRow> rows) {
  JsonArray list;
  for (const PlanRow& row : rows) {
    JsonObject one{{"precision", row.precision}};
    if (!row.why_not.empty()) {
      list.element(one.member("refused", row.why_not));
      continue;
    }
    one.members(
        {{"problem", row.problem},
         {"spins", row.spins},
         {"copies", row.copies},
         {"keeps", row.keeps},
         {"energy_lost", row.energy_lost ? JsonValue(*row.energy_lost) : JsonValue()}});
    list.element(one);
  }
  return JsonObject{}.member("plan", list).text() + "\n";
}

std::string machines_text(std::span<const machine::Machine> machines) {
  std::string text = "machine    spins  bits    samples  known from\n";
  for (const machine::Machine& m : machines) {
    text += left_aligned(std::string(m.name), 11) +
            right_aligned(m.spins == 0 ? "-" : format(m.spins), 5) +
            right_aligned(format(m.bits), 6) +
            right_aligned(format(m.least_samples) + "-" + format(m.most_samples), 11) +
            "  " + std::string(m.source) + "\n";
  }
  return text;
}

}  // namespace oa::report
