#pragma once

#include "oa/machine/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

// Limits of a result; oa-cim-ingest(1), Limits.
inline constexpr std::size_t kMaxResultBytes = std::size_t{64} << 20;
inline constexpr int kMaxShots = 10'000;
inline constexpr int kMaxShotSize = 65'536;

/// The solutions in a result log: a JSON array of objects with `quboValue` and
/// `solutionVector` (0 and 1, or -1 and 1).  Other members are ignored.
/// Throws InputError, which begins with `where`.
[[nodiscard]] std::vector<machine::Shot> read_cim_log(std::string_view text,
                                                      const std::string& where);

/// Writes solutions as a log, numbered from 0, with values -1 and 1 if `spins`.
[[nodiscard]] std::string cim_log_text(const std::vector<machine::Shot>& shots,
                                       bool spins);

/// Writes an energy as the vendor's site does: "-1176.0".
[[nodiscard]] std::string cim_number(double value);

}  // namespace oa::io
