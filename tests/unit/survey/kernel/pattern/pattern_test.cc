#include "survey/kernel/pattern/pattern.h"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

using oa::attention::Pattern;
using oa::attention::Run;

TEST_CASE("a band is clipped to the keys there are") {
  const Pattern window = Pattern::band(7, 7, 2, 1);
  CHECK(window.band_row(0) == Run{0, 2});
  CHECK(window.band_row(3) == Run{1, 5});
  CHECK(window.band_row(6) == Run{4, 7});
  CHECK(Pattern::causal(5).pairs() == 15);
  CHECK(Pattern::all(3, 8).pairs() == 24);
  const int most = std::numeric_limits<int>::max();
  CHECK(Pattern::band(4, 6, most, most).pairs() == 24);
}

TEST_CASE("neighbours that see the same share their runs") {
  const Pattern p = Pattern::of_runs(
      9,
      {0, 2, 4, 4, 4, 6, 7, 8, 9},
      {{0, 1}, {3, 6}, {0, 1}, {3, 6}, {0, 1}, {3, 6}, {2, 9}, {2, 9}, {2, 8}});
  CHECK(p.alike(0, 1));
  CHECK_FALSE(p.alike(1, 2));
  CHECK(p.alike(2, 3));
  CHECK_FALSE(p.alike(0, 4));  // the same, but not those between
  CHECK(p.alike(5, 6));
  CHECK_FALSE(p.alike(6, 7));
  CHECK(p.runs(0).data() == p.runs(1).data());
  const auto runs_of = [&](int query) {
    return std::vector<Run>(p.runs(query).begin(), p.runs(query).end());
  };
  CHECK(runs_of(1) == std::vector<Run>{{0, 1}, {3, 6}});
  CHECK(runs_of(3).empty());
  CHECK(runs_of(4) == std::vector<Run>{{0, 1}, {3, 6}});
  CHECK(runs_of(6) == std::vector<Run>{{2, 9}});
  CHECK(runs_of(7) == std::vector<Run>{{2, 8}});
  CHECK(p.pairs() == 4 * 3 + 7 + 7 + 6);
  CHECK(Pattern::of_runs(4, {0, 0, 0}, {}).alike(0, 1));
}

TEST_CASE("the grain divides all positions where the pattern changes") {
  const auto grain = [](const std::vector<std::int64_t>& first, std::vector<Run> runs) {
    return Pattern::of_runs(1024, first, std::move(runs)).grain();
  };
  CHECK(grain({0, 1, 2}, {{0, 64}, {0, 64}}) == 64);
  CHECK(grain({0, 1, 2}, {{0, 64}, {0, 128}}) == 1);  // the second query sees more
  CHECK(grain({0, 1, 2, 3, 3}, {{0, 64}, {0, 64}, {64, 96}}) == 1);
  CHECK(grain({0, 1, 2, 2, 2}, {{0, 64}, {0, 64}}) == 2);
  CHECK(grain({0, 1}, {{96, 128}}) == 32);
  CHECK(grain({0, 2}, {{0, 256}, {512, 1000}}) == 8);
  // The last runs move over those that are not kept.
  CHECK(grain({0, 1, 2, 4}, {{0, 64}, {0, 64}, {65, 128}, {256, 320}}) == 1);
  CHECK(grain({0, 0}, {}) >= 1024);
}
