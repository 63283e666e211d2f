#include "oa/base/number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace oa {
namespace {

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
