#include "oa/score/time_to_target.h"

#include "oa/base/rng.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace oa;

namespace {

/// How often the interval has the true time, of runs of which a share hits and which
/// take a second in the mean: all the same, or as the time between chance events.
double coverage(int runs, double share, bool same) {
  constexpr int kDraws = 4000;
  const double truth = std::max(1.0, std::log(0.01) / std::log1p(-share));
  Rng rng(1);
  int covered = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<double> seconds;
    std::int64_t hits = 0;
    for (int r = 0; r < runs; ++r) {
      seconds.push_back(same ? 1.0 : -std::log(1.0 - rng.uniform()));
      hits += rng.uniform() < share ? 1 : 0;
    }
    const score::Interval time = score::time_to_target(seconds, hits);
    covered += time.low <= truth * (1.0 + 1e-9) && truth <= time.high * (1.0 + 1e-9);
  }
  return static_cast<double>(covered) / kDraws;
}

}  // namespace

TEST_SUITE_BEGIN("score");

TEST_CASE("time to target agrees with repeated runs") {
  const std::vector<double> seconds{1.0, 3.0, 2.0, 2.0};
  const score::Interval half = score::time_to_target(seconds, 2);
  CHECK(half.value == doctest::Approx(2.0 * std::log(0.01) / std::log(0.5)));
  CHECK(half.low < half.value);
  CHECK(half.value < half.high);
  CHECK(score::time_to_target(seconds, 4).value == 2.0);
  const score::Interval never = score::time_to_target(seconds, 0);
  CHECK(std::isinf(never.value));
  CHECK(std::isinf(never.high));
  CHECK(never.low > 2.0);
  const score::Interval once = score::time_to_target(std::vector{0.0}, 1);
  CHECK(once.value == 0.0);
  CHECK(once.high == 0.0);
}

TEST_CASE("the interval of a time to target has the truth in 95 of 100 cases") {
  for (const int runs : {30, 100}) {
    for (const double share : {0.1, 0.2, 0.5, 0.8}) {
      for (const bool same : {true, false}) {
        CAPTURE(runs);
        CAPTURE(share);
        CAPTURE(same);
        const double covered = coverage(runs, share, same);
        CHECK(covered > 0.925);
        CHECK(covered < 0.985);
      }
    }
  }
}

TEST_SUITE_END();
