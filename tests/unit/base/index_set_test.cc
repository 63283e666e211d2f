#include "oa/base/index_set.h"

#include <doctest/doctest.h>

#include <string>

using oa::IndexSet;

TEST_SUITE_BEGIN("base");

TEST_CASE("lists of numbers and ranges are merged") {
  const auto set = IndexSet::parse("7,20-29,3,22-31,8");
  REQUIRE(set);
  CHECK(set->size() == 15);
  CHECK(set->ranges().size() == 3);
  for (const int in : {3, 7, 8, 20, 31}) {
    CHECK(set->contains(in));
  }
  for (const int out : {0, 2, 4, 9, 19, 32}) {
    CHECK_FALSE(set->contains(out));
  }
}

TEST_CASE("a huge range costs nothing") {
  CHECK(IndexSet::parse("0-1000000000000")->size() == 1000000000001);
}

TEST_CASE("text that is not a list is refused") {
  for (const std::string bad : {"",
                                ",",
                                "1,",
                                ",1",
                                "5-3",
                                "-1",
                                "1-",
                                "a",
                                "1--2",
                                "1-2-3",
                                "99999999999999999999",
                                "1 2",
                                "0-9223372036854775807"}) {
    CAPTURE(bad);
    CHECK_FALSE(IndexSet::parse(bad));
  }
}

TEST_SUITE_END();
