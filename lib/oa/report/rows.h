#pragma once

#include "oa/score/score.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace oa::report {

// Parts of reports as text.

/// A line of two columns.
[[nodiscard]] std::string row(const std::string& name, const std::string& value);
/// The same with a wider first column.
[[nodiscard]] std::string wide_row(const std::string& name, const std::string& value);

/// `text` with spaces behind it, cut if it is longer.
[[nodiscard]] std::string left_aligned(std::string text, std::size_t width);
/// `text` with spaces before it.
[[nodiscard]] std::string right_aligned(const std::string& text, std::size_t width);

/// "99.31 %"; "-" for NaN.
[[nodiscard]] std::string percentage(double share, int decimals = 2);

/// "9,931 of 10,000".
[[nodiscard]] std::string of_total(std::int64_t count, std::int64_t total);

/// A share with its interval.
[[nodiscard]] std::string share_row(const std::string& name, const score::Share& share);

inline constexpr std::size_t kPageColumns = 80;

/// `begin` and `words` in lines of at most kPageColumns; later lines are indented.
[[nodiscard]] std::string wrapped(std::string begin,
                                  std::string_view words,
                                  std::size_t indent);

}  // namespace oa::report
