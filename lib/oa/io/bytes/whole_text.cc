#include "oa/io/bytes/whole_text.h"

#include "oa/base/error.h"

#include <array>
#include <span>

namespace oa::io {

std::string read_whole_text(Input& input,
                            std::size_t most,
                            const std::string& too_much) {
  std::string text;
  std::array<std::byte, 65536> chunk{};
  while (const std::size_t n = input.read(chunk)) {
    if (text.size() + n > most) {
      throw InputError(input.name() + ": " + too_much);
    }
    text += as_text(std::span(chunk).first(n));
  }
  return text;
}

}  // namespace oa::io
