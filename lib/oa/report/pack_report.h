#pragma once

#include "oa/cim/pack_totals.h"
#include "oa/machine/machine.h"

#include <span>
#include <string>

namespace oa::report {

/// A table of the results of packing.
[[nodiscard]] std::string pack_text(const cim::PackTotals& tally, std::int64_t written);

/// The same as one JSON object; oa-cim-pack(1) lists its members.
[[nodiscard]] std::string pack_json(const cim::PackTotals& tally, std::int64_t written);

/// A table of machines.
[[nodiscard]] std::string machines_text(std::span<const machine::Machine> machines);

/// A table of precisions: a line for each problem and precision.
[[nodiscard]] std::string plan_header();
[[nodiscard]] std::string plan_row(const std::string& precision,
                                   const machine::PackedQuery& query,
                                   const std::string& problem);
/// The line of a precision for which the problem does not fit.
[[nodiscard]] std::string plan_row(const std::string& precision,
                                   const std::string& why_not);

}  // namespace oa::report
