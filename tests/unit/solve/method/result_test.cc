#include "oa/solve/method/result.h"

#include "oa/base/rng.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

TEST_SUITE("solve") {
  TEST_CASE("a pool keeps the best distinct solutions in order") {
    oa::Rng rng(37);
    for (int t = 0; t < 200; ++t) {
      const auto capacity = static_cast<int>(1 + rng.below(6));
      oa::solve::Pool pool(capacity);
      std::vector<oa::solve::Solution> all;
      for (int i = 0; i < 30; ++i) {
        oa::solve::Solution s;
        s.x = {static_cast<std::uint8_t>(rng.below(2)),
               static_cast<std::uint8_t>(rng.below(2)),
               static_cast<std::uint8_t>(rng.below(2))};
        s.energy = s.x[0] + s.x[2];  // ties between x that differ in the middle
        pool.insert(s.energy, s.x);
        all.push_back(s);
      }
      std::sort(all.begin(), all.end());
      const auto same = std::ranges::unique(
          all, [](const auto& a, const auto& b) { return a.x == b.x; });
      all.erase(same.begin(), same.end());
      all.resize(std::min<std::size_t>(all.size(), static_cast<std::size_t>(capacity)));
      REQUIRE(pool.best().size() == all.size());
      CHECK(std::ranges::equal(pool.best(), all, [](const auto& a, const auto& b) {
        return a.energy == b.energy && a.x == b.x;
      }));
    }
  }

  TEST_CASE("a pool with a window limits what comes after its best") {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::vector<std::vector<std::uint8_t>> x{{0, 0}, {0, 1}, {1, 0}};
    oa::solve::Pool one(1);
    one.insert(5.0, x[0]);
    CHECK(one.limit(1.0) == 5.0);
    oa::solve::Pool two(2);
    CHECK(two.limit(1.0) == kInfinity);
    two.insert(5.0, x[0]);
    CHECK(two.limit(kInfinity) == kInfinity);
    CHECK(two.limit(1.0) == std::nextafter(6.0, kInfinity));
    two.insert(9.0, x[1]);
    CHECK(two.limit(kInfinity) == 9.0);
    CHECK(two.limit(1.0) == std::nextafter(6.0, kInfinity));
    two.insert(5.5, x[2]);
    CHECK(two.limit(1.0) == 5.5);
  }
}
