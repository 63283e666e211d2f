#include "oa/base/range.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace oa;

TEST_SUITE_BEGIN("base");

TEST_CASE("a range without limits holds all finite numbers") {
  const Range any;
  CHECK(any.contains(0.0));
  CHECK(any.contains(any.low));
  CHECK(any.contains(any.high));
  CHECK_FALSE(any.contains(INFINITY));
  CHECK_FALSE(any.contains(-INFINITY));
  CHECK_FALSE(any.contains(NAN));
  CHECK(any.text() == "any");
  CHECK(any.text_of("a number") == "a number");
}

TEST_CASE("a limit belongs to its range unless it is marked as open") {
  const Range closed{.low = 1, .high = 9};
  CHECK(closed.contains(1));
  CHECK(closed.contains(9));
  CHECK_FALSE(closed.contains(0));
  CHECK_FALSE(closed.contains(10));
  const Range open{.low = 0, .high = 1, .above_low = true, .below_high = true};
  CHECK_FALSE(open.contains(0));
  CHECK_FALSE(open.contains(1));
  CHECK(open.contains(0.5));
}

TEST_CASE("a range reads well") {
  CHECK(Range{.low = 1, .high = 1'000'000}.text_of("a number") ==
        "a number from 1 to 1000000");
  CHECK(Range{.low = -0.5}.text_of("a number") == "a number of at least -0.5");
  CHECK(Range{.low = 0, .above_low = true}.text_of("a number") == "a number above 0");
  CHECK(Range{.low = 0, .high = 1, .below_high = true}.text_of("a number") ==
        "a number of at least 0 and below 1");
  CHECK(Range{.high = 1, .below_high = true}.text_of("a number") == "a number below 1");
  CHECK(Range{.high = 1}.text_of("a number") == "a number of at most 1");
}

TEST_SUITE_END();
