#pragma once

#include "oa/cim/pack_totals.h"
#include "oa/machine/machine.h"

#include <optional>
#include <span>
#include <string>

namespace oa::report {

/// A table of the results of packing.
[[nodiscard]] std::string pack_text(const cim::PackTotals& tally, std::int64_t written);

/// The same as one JSON object; oa-cim-pack(1) lists its members.
[[nodiscard]] std::string pack_json(const cim::PackTotals& tally, std::int64_t written);

/// A table of machines.
[[nodiscard]] std::string machines_text(std::span<const machine::Machine> machines);

/// What a precision costs for a problem, and what it keeps.
struct PlanRow {
  std::string precision;
  std::string problem;
  int spins = 0;
  int copies = 0;
  std::string keeps;  ///< which optima
  std::optional<double> energy_lost;
  std::string why_not;  ///< if the problem does not fit; then nothing else is known
};
[[nodiscard]] PlanRow plan_row(const std::string& precision,
                               const machine::PackedQuery& query,
                               const std::string& problem);

/// A line for each row, without the header.
[[nodiscard]] std::string plan_text(std::span<const PlanRow> rows);
[[nodiscard]] std::string plan_header();
[[nodiscard]] std::string plan_json(std::span<const PlanRow> rows);

}  // namespace oa::report
