#include "oa/base/utf8.h"

#include <array>
#include <cassert>
#include <cstddef>

namespace oa {

std::optional<char32_t> take_code_point(std::string_view& text) {
  assert(!text.empty());
  constexpr std::array<char32_t, 5> kMin{0, 0, 0x80, 0x800, 0x10000};
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC0 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF8 ? 4
                                            : 0;
  if (length == 0 || length > text.size()) {
    return std::nullopt;
  }
  char32_t sign = length == 1 ? first : first & (0x7FU >> length);
  for (const char c : text.substr(1, length - 1)) {
    const auto next = static_cast<unsigned char>(c);
    if ((next & 0xC0U) != 0x80) {
      return std::nullopt;
    }
    sign = sign << 6 | (next & 0x3FU);
  }
  const bool surrogate = sign >= 0xD800 && sign < 0xE000;
  if (sign < kMin[length] || surrogate || sign > 0x10FFFF) {
    return std::nullopt;
  }
  text.remove_prefix(length);
  return sign;
}

std::u32string code_points(std::string_view text) {
  std::u32string signs;
  while (!text.empty()) {
    const auto sign = take_code_point(text);
    if (!sign) {
      text.remove_prefix(1);
    }
    signs += sign.value_or(kReplacement);
  }
  return signs;
}

std::string utf8(char32_t sign) {
  const auto tail = [&](int shift) {
    return static_cast<char>(0x80 | (sign >> shift & 0x3F));
  };
  if (sign < 0x80) {
    return {static_cast<char>(sign)};
  }
  if (sign < 0x800) {
    return {static_cast<char>(0xC0 | sign >> 6), tail(0)};
  }
  if (sign < 0x10000) {
    return {static_cast<char>(0xE0 | sign >> 12), tail(6), tail(0)};
  }
  return {static_cast<char>(0xF0 | sign >> 18), tail(12), tail(6), tail(0)};
}

}  // namespace oa
