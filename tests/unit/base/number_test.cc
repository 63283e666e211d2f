#include "oa/base/number.h"

#include "oa/base/counted.h"

#include <doctest/doctest.h>

#include <limits>

using namespace oa;

TEST_SUITE_BEGIN("base");

TEST_CASE("things are counted in the singular and in the plural") {
  CHECK(counted(1, "image") == "1 image");
  CHECK(counted(0, "image") == "0 images");
  CHECK(counted(2000, "image") == "2,000 images");
  CHECK(counted(1, "query", "queries") == "1 query");
  CHECK(counted(2, "query", "queries") == "2 queries");
}

TEST_CASE("numbers print in shortest exact form") {
  CHECK(format(0.1) == "0.1");
  CHECK(format(-0.0) == "-0");
  CHECK(format(1e300) == "1e+300");
  CHECK(format(0.1F) == "0.1");
  CHECK(format(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(format_fixed(98.404, 2) == "98.40");
  CHECK(format_fixed(1e308, 1).size() == 311);
}

TEST_CASE("parsing takes the whole text or nothing") {
  CHECK(parse_double("-1.5e3") == -1500.0);
  CHECK(parse_double("+2") == 2.0);
  CHECK(parse_int("+2") == 2);
  for (const char* bad : {"",
                          " 1",
                          "1 ",
                          "1,5",
                          "0x10",
                          "nan",
                          "inf",
                          "-inf",
                          "1e999",
                          "+-1",
                          "++1",
                          "1e",
                          "--1"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_double(bad));
    CHECK_FALSE(parse_int(bad));
  }
  CHECK_FALSE(parse_int("9223372036854775808"));
  CHECK_FALSE(parse_int("1.0"));
}

TEST_CASE("thousands are grouped") {
  CHECK(format_grouped(0) == "0");
  CHECK(format_grouped(999) == "999");
  CHECK(format_grouped(1000) == "1,000");
  CHECK(format_grouped(-1234567) == "-1,234,567");
  CHECK(format_grouped(-123) == "-123");
}

TEST_SUITE_END();
