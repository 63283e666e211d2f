#include "oa/base/index_set.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

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
  CHECK(IndexSet::first(1000000000000).slice(7, 999999999999).size() == 999999999992);
}

TEST_CASE("slices of a set are its members in order") {
  const IndexSet set = *IndexSet::parse("3-5,8,10-11");
  const std::vector<std::int64_t> members{3, 4, 5, 8, 10, 11};
  for (std::int64_t begin = 0; begin <= 6; ++begin) {
    for (std::int64_t end = begin; end <= 6; ++end) {
      CAPTURE(begin);
      CAPTURE(end);
      const IndexSet slice = set.slice(begin, end);
      CHECK(slice.size() == end - begin);
      for (std::int64_t k = begin; k < end; ++k) {
        CHECK(slice.contains(members[static_cast<std::size_t>(k)]));
      }
    }
  }
  CHECK(IndexSet::first(0).ranges().empty());
  CHECK(IndexSet::first(4).size() == 4);
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
