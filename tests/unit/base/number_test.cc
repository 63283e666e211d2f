#include "oa/base/number.h"

#include "oa/base/counted.h"
#include "oa/base/rng.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
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

TEST_CASE("a number printed reads back as itself") {
  Rng rng(1);
  for (int t = 0; t < 1000; ++t) {
    const double value = std::bit_cast<double>(rng.u64());
    CHECK((!std::isfinite(value) || parse_double(format(value)) == value));
  }
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

TEST_CASE("integers are exact as two doubles, or refused") {
  const auto is = [](const char* text, double value, double rest) {
    const auto exact = parse_exact(text);
    return exact && exact->value == value && exact->rest == rest;
  };
  CHECK(is("-9007199254740993", -9007199254740992.0, -1.0));
  CHECK(is("+9007199254740995", 9007199254740996.0, -1.0));
  CHECK(is("00000000000000000000000000000000000000000000000017", 17.0, 0.0));
  CHECK(is("81129638414606681695789005144063", 0x1p106, -1.0));
  CHECK(is("170141183460469231731687303715884105729", 0x1p127, 1.0) == false);
  CHECK(is("340282366920938463463374607431768211456", 0x1p128, 0.0));
  CHECK(is("-12", -12.0, 0.0));
  CHECK(is("0.1", 0.1, 0.0));
  CHECK(is("9007199254740993.0", 0x1p53, 0.0));  // what most programs read
  CHECK(is("1e23", 1e23, 0.0));
  CHECK_FALSE(parse_exact("340282366920938463463374607431768211457"));
  CHECK_FALSE(parse_exact("100000000000000000000000000000000000000000001"));
  CHECK_FALSE(parse_exact("1x"));
  CHECK_FALSE(parse_exact(""));
  CHECK_FALSE(parse_exact("-"));
  CHECK(rounds_integer("9007199254740993"));
  CHECK(rounds_integer("100000000000000000000000000000000000000000001"));
  CHECK_FALSE(rounds_integer("9007199254740994"));
  CHECK_FALSE(rounds_integer("0.10000000000000000001"));
}

TEST_CASE("thousands are grouped") {
  CHECK(format_grouped(0) == "0");
  CHECK(format_grouped(999) == "999");
  CHECK(format_grouped(1000) == "1,000");
  CHECK(format_grouped(-1234567) == "-1,234,567");
  CHECK(format_grouped(-123) == "-123");
}

TEST_SUITE_END();
