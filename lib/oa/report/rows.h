#pragma once

#include "oa/score/score.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace oa::report {

// Helpers for reports as text.

/// Formats a line of two columns.
[[nodiscard]] std::string row(const std::string& name, const std::string& value);
/// Formats a line of two columns, the first of them wider.
[[nodiscard]] std::string wide_row(const std::string& name, const std::string& value);

/// Pads `text` on the right, or cuts it.
[[nodiscard]] std::string left_aligned(std::string text, std::size_t width);
/// Pads `text` on the left.
[[nodiscard]] std::string right_aligned(const std::string& text, std::size_t width);

/// Formats "99.31 %"; "-" for NaN.
[[nodiscard]] std::string percentage(double share, int decimals = 2);

/// Formats "9,931 of 10,000".
[[nodiscard]] std::string of_total(std::int64_t count, std::int64_t total);

/// Formats a share with its interval.
[[nodiscard]] std::string share_row(const std::string& name, const score::Share& share);

inline constexpr std::size_t kPageColumns = 80;

/// Wraps `begin` and `words` into lines of up to kPageColumns; indents later lines.
[[nodiscard]] std::string wrapped(std::string begin,
                                  std::string_view words,
                                  std::size_t indent);

}  // namespace oa::report
