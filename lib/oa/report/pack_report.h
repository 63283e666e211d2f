#pragma once

#include "oa/cim/pack_totals.h"
#include "oa/machine/machine.h"

#include <optional>
#include <span>
#include <string>

namespace oa::report {

/// Formats the results of packing as a table.
[[nodiscard]] std::string pack_text(const cim::PackTotals& tally, std::int64_t written);

/// Formats the results of packing as a JSON object, described in oa-cim-pack(1).
[[nodiscard]] std::string pack_json(const cim::PackTotals& tally, std::int64_t written);

/// Formats a table of machines.
[[nodiscard]] std::string machines_text(std::span<const machine::Machine> machines);

/// The cost of a precision for a problem, and the optima that it preserves.
struct PlanRow {
  std::string precision;
  std::string problem;
  int spins = 0;
  int copies = 0;
  std::string keeps;  ///< the preserved optima
  std::optional<double> energy_lost;
  std::string why_not;  ///< why the problem does not fit; then other members are unset
};
[[nodiscard]] PlanRow plan_row(const std::string& precision,
                               const machine::PackedQuery& query,
                               const std::string& problem);

/// Formats a line for each row, without the header.
[[nodiscard]] std::string plan_text(std::span<const PlanRow> rows);
[[nodiscard]] std::string plan_header();
[[nodiscard]] std::string plan_json(std::span<const PlanRow> rows);

}  // namespace oa::report
