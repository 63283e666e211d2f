#include "oa/io/quadratic/json_number.h"

#include "oa/base/number.h"

#include <algorithm>

namespace oa::io {

void refuse_long_integers(std::string_view text, const std::string& name) {
  constexpr std::string_view kNumber = "+-.0123456789Ee";
  constexpr std::size_t kLong = 19;  // digits; shorter integers have 64 bits
  std::size_t at = 0;
  while ((at = text.find_first_of("\"-0123456789", at)) != text.npos) {
    if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) {
        at += text[at] == '\\' ? 1 : 0;
      }
      ++at;
      continue;
    }
    const auto end = std::min(text.find_first_not_of(kNumber, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (word.size() > kLong) {
      const auto value = parse_exact(word);
      const bool wide = !value || std::abs(value->value) >= 0x1p63;
      if (wide && rounds_integer(word)) {
        throw InputError(name + ": the whole number " +
                         std::string(word.substr(0, 40)) +
                         " (expected 64 bits, or an exponent)");
      }
    }
    at = end;
  }
}

}  // namespace oa::io
