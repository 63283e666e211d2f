#include "oa/io/bytes/crc32c.h"

#include <array>
#include <cstddef>

namespace oa::io {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78;  // its bits from the lowest power up

/// What each value of a byte adds.
constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) {
      rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
    }
    table[byte] = rest;
  }
  return table;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr auto kTable = make_table();
  std::uint32_t rest = 0xffffffff;
  for (const char c : bytes) {
    rest = (rest >> 8) ^ kTable[(rest ^ static_cast<unsigned char>(c)) & 0xff];
  }
  return ~rest;
}

}  // namespace oa::io
