#include "oa/base/printable.h"

namespace oa {

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (c == 0xc2 && next >= 0x80 && next < 0xa0) {
      out += '?';
      ++i;
    } else {
      out += c < 0x20 || c == 0x7f ? '?' : text[i];
    }
  }
  return out;
}

}  // namespace oa
