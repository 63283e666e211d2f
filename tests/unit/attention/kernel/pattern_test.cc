#include "oa/attention/kernel/pattern.h"

#include <doctest/doctest.h>

#include <limits>

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

TEST_CASE("the pairs of a window are n(2w+1) - w(w+1)") {
  for (const int n : {1, 7, 40}) {
    for (int w = 0; w < n; ++w) {
      CHECK(Pattern::band(n, n, w, w).pairs() == n * (2 * w + 1) - w * (w + 1));
    }
  }
}

TEST_CASE("runs are found query by query") {
  const Pattern p = Pattern::of_runs(6, {0, 2, 2, 3}, {{0, 1}, {3, 6}, {2, 4}});
  CHECK_FALSE(p.is_band());
  CHECK(p.queries() == 3);
  CHECK(p.degree(0) == 4);
  CHECK(p.degree(1) == 0);
  CHECK(p.pairs() == 6);
  CHECK(p.allows(0, 5));
  CHECK_FALSE(p.allows(0, 1));
  CHECK_FALSE(p.allows(1, 0));
  CHECK(p.allows(2, 3));
}
