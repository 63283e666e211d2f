#include "oa/io/bytes/crc32c.h"

#include <doctest/doctest.h>

#include <string>

using namespace oa;

TEST_CASE("crc32c gives the sums of RFC 3720" * doctest::test_suite("io")) {
  CHECK(io::crc32c("") == 0);
  CHECK(io::crc32c("123456789") == 0xe3069283);
  CHECK(io::crc32c(std::string(32, '\0')) == 0x8a9136aa);
  CHECK(io::crc32c(std::string(32, '\xff')) == 0x62a8ab43);
}
