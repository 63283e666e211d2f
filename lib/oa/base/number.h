#pragma once

#include "oa/base/exact_sum.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace oa {

/// The whole of `text` as a finite number, or nothing: no spaces, no locale, no hex, no
/// overflow.  Accepts a leading '+'.  Correctly rounded.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);

/// The same, but an integer, written without a point or an exponent, is exact: the
/// nearest double and the remainder.  Nothing if two doubles do not hold it, as they do
/// up to 2^106.
[[nodiscard]] std::optional<TwoDoubles> parse_exact(std::string_view text);

/// True if parse_double() rounds the integer `text`.
[[nodiscard]] bool rounds_integer(std::string_view text);

/// The whole of `text` as an integer, or nothing.  Accepts a leading '+'.
[[nodiscard]] std::optional<std::int64_t> parse_int(std::string_view text);

/// The shortest text that reads back as the same number; "inf", "-inf" or "nan" if it
/// is not finite.
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
