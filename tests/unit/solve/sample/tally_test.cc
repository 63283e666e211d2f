#include "oa/solve/sample/tally.h"

#include "oa/base/rng.h"

#include <doctest/doctest.h>

#include <cmath>
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
  TEST_CASE("the errors that the effective size tells are those of repetitions") {
    const double p = 0.1;
    double squares = 0.0;
    const int runs = 200;
    for (int run = 0; run < runs; ++run) {
      Rng rng(static_cast<std::uint64_t>(run));
      const int states = 2000;
      std::vector<solve::Tally> tallies(1, solve::Tally(1, states));
      std::uint8_t x = rng.uniform() < 0.5 ? 1 : 0;
      for (int k = 0; k < states; ++k) {
        x = static_cast<std::uint8_t>(rng.uniform() < p ? 1 - x : x);
        tallies[0].add({&x, 1}, x);
      }
      const double mean = static_cast<double>(tallies[0].ones()[0]) / states;
      const double error = std::sqrt(0.25 / solve::effective_size(tallies));
      squares += (mean - 0.5) * (mean - 0.5) / (error * error) / runs;
    }
    // The mean is 1 for exact errors; the worse of two estimates makes it smaller.
    CHECK(squares > 0.6);
    CHECK(squares < 1.5);
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
