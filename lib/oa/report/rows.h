#pragma once

#include "oa/score/score.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace oa::report {

// What reports for a person are made of.

/// A line of two columns.
[[nodiscard]] std::string row(const std::string& name, const std::string& value);

[[nodiscard]] std::string right_aligned(const std::string& text, std::size_t width);

/// "99.31 %"; "-" of nothing.
[[nodiscard]] std::string percentage(double share, int decimals = 2);

/// "9,931 of 10,000".
[[nodiscard]] std::string of_total(std::int64_t count, std::int64_t total);

/// A share with its interval.
[[nodiscard]] std::string share_row(const std::string& name, const score::Share& share);

}  // namespace oa::report
