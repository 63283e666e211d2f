#include "oa/io/table/whole_text.h"

#include "oa/base/error.h"

#include <array>

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
    text.append(reinterpret_cast<const char*>(chunk.data()), n);  // NOLINT: bytes
  }
  return text;
}

}  // namespace oa::io
