#include "oa/solve/sample/tally.h"

#include "oa/base/rng.h"

#include <doctest/doctest.h>

#include <vector>

using namespace oa;

TEST_SUITE("solve") {
  TEST_CASE("the effective size is that of a chain with a known autocorrelation") {
    // A variable that changes with probability p has correlations (1 - 2p)^lag.
    for (const double p : {0.5, 0.1, 0.02}) {
      Rng rng(3);
      const int states = 16384;
      std::vector<solve::Tally> tallies;
      for (int chain = 0; chain < 4; ++chain) {
        solve::Tally& tally = tallies.emplace_back(1, states);
        std::uint8_t x = rng.uniform() < 0.5 ? 1 : 0;
        for (int k = 0; k < states; ++k) {
          x = static_cast<std::uint8_t>(rng.uniform() < p ? 1 - x : x);
          tally.add({&x, 1}, 3.0 + x);
        }
        CHECK(tally.states() == states);
      }
      const double size = solve::effective_size(tallies);
      const double expected = 4.0 * states * p / (1.0 - p);
      CHECK(size > 0.6 * expected);
      CHECK(size < 1.6 * expected);
    }
  }
  TEST_CASE("chains that stay apart have few effective states") {
    std::vector<solve::Tally> tallies;
    for (const std::uint8_t x : std::vector<std::uint8_t>{0, 1, 0, 1}) {
      solve::Tally& tally = tallies.emplace_back(1, 1000);
      for (int k = 0; k < 1000; ++k) {
        tally.add({&x, 1}, 0.0);
      }
    }
    CHECK(solve::effective_size(tallies) < 100.0);
  }
}
