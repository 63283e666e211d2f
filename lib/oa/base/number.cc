#include "oa/base/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace oa {
namespace {

constexpr std::size_t kShort = 15;  // digits of numbers below 2^53

template <class Number>
std::optional<Number> parse(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') {
    text.remove_prefix(1);
  }
  Number value{};
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end) {
    return std::nullopt;
  }
  return value;
}

template <class... Arguments>
std::string print(Arguments... arguments) {
  std::array<char, 400> text{};  // the longest double has 309 digits, then decimals
  const auto result =
      std::to_chars(text.data(), text.data() + text.size(), arguments...);
  return {text.data(), result.ptr};
}

}  // namespace

std::optional<double> parse_double(std::string_view text) {
  const auto value = parse<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<TwoDoubles> parse_exact(std::string_view text) {
  constexpr std::size_t kLong = 38;  // digits: 10^38 is below 2^127
  const auto value = parse_double(text);
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  std::string_view digits = text.substr(std::min(sign, text.size()));
  if (!value || digits.size() <= kShort ||
      digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return value;
  }
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.size() > kLong) {  // may be a double written with all its digits
    const bool same = print(std::abs(*value), std::chars_format::fixed) == digits;
    return same ? std::optional<TwoDoubles>(*value) : std::nullopt;
  }
  __extension__ typedef __int128 Int;
  Int whole = 0;
  for (const char digit : digits) {
    whole = 10 * whole + (digit - '0');
  }
  const Int left = (*value < 0.0 ? -whole : whole) - static_cast<Int>(*value);
  const auto rest = static_cast<double>(left);
  return static_cast<Int>(rest) == left ? std::optional(TwoDoubles(*value, rest))
                                        : std::nullopt;
}

bool rounds_integer(std::string_view text) {
  if (text.size() <= kShort) {
    return false;
  }
  const auto exact = parse_exact(text);
  return exact ? exact->rest != 0.0 : parse_double(text).has_value();
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  return parse<std::int64_t>(text);
}

std::string format(double value) {
  return print(value);
}

std::string format(float value) {
  return print(value);
}

std::string format(std::int64_t value) {
  return print(value);
}

std::string format_fixed(double value, int decimals) {
  return print(value, std::chars_format::fixed, decimals);
}

std::string format_grouped(std::int64_t value) {
  std::string text = format(value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

}  // namespace oa
