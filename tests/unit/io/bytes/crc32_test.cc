#include "oa/io/bytes/crc32.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <zlib.h>

using namespace oa;

TEST_SUITE_BEGIN("io");

TEST_CASE("crc32 gives the sums of zlib, wherever bytes begin and end") {
  std::vector<std::byte> bytes(5000);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(i * i + i / 3);
  }
  for (std::size_t begin = 0; begin < 70; begin += 3) {
    for (std::size_t size = 0; size < 4900; size += size < 300 ? 1 : 517) {
      const auto part = std::span(bytes).subspan(begin, size);
      const auto* first = reinterpret_cast<const unsigned char*>(part.data());
      const auto expected =
          ::crc32(0xdeadbeef, first, static_cast<unsigned>(part.size()));
      CHECK(io::extend_crc32(0xdeadbeef, part) == expected);
    }
  }
}

TEST_CASE("crc32c gives the sums of RFC 3720") {
  CHECK(io::crc32c("") == 0);
  CHECK(io::crc32c("123456789") == 0xe3069283);
  CHECK(io::crc32c(std::string(32, '\0')) == 0x8a9136aa);
  CHECK(io::crc32c(std::string(32, '\xff')) == 0x62a8ab43);
}

TEST_SUITE_END();
