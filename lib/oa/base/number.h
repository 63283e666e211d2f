#pragma once

#include "oa/base/exact_sum.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace oa {

/// Parses all of `text` as a finite number, correctly rounded; else returns nothing.
/// Accepts a leading '+', but no spaces, locale or hex.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);

/// Parses as parse_double(), but an integer without point and exponent exactly, as two
/// doubles.  Returns nothing for an integer from 2^106 on that two doubles cannot hold.
[[nodiscard]] std::optional<TwoDoubles> parse_exact(std::string_view text);

/// True if parse_double() rounds the integer `text`.
[[nodiscard]] bool rounds_integer(std::string_view text);

/// Parses all of `text` as an integer, or returns nothing.  Accepts a leading '+'.
[[nodiscard]] std::optional<std::int64_t> parse_int(std::string_view text);

/// Returns the shortest text that reads back as the same number;
/// "inf", "-inf" or "nan" if the number is not finite.
[[nodiscard]] std::string format(double value);
[[nodiscard]] std::string format(float value);
[[nodiscard]] std::string format(std::int64_t value);
[[nodiscard]] inline std::string format(int value) {
  return format(std::int64_t{value});
}

/// `value` rounded to `decimals` places, for people: "98.40".
[[nodiscard]] std::string format_fixed(double value, int decimals);

/// "1,234,567", for people.
[[nodiscard]] std::string format_grouped(std::int64_t value);

}  // namespace oa
