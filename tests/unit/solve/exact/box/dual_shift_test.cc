#include "oa/solve/exact/box/dual_shift.h"

#include "oa/base/rng.h"
#include "oa/solve/exact/box/convex.h"
#include "oa/solve/exact/box/exact.h"

#include <doctest/doctest.h>

#include <limits>
#include <numeric>
#include <vector>

namespace oa::solve {
namespace {

/// A sparse indefinite problem, similar to Beasley's.
qubo::Matrix beasley(Rng& rng, int n, std::vector<double>& h) {
  std::vector<double> j(static_cast<std::size_t>(n * n));
  for (int i = 0; i < n; ++i) {
    h.push_back(static_cast<double>(rng.below(201)) - 100.0);
    for (int k = 0; k < i; ++k) {
      if (rng.below(10) == 0) {
        const double weight = 2.0 * (static_cast<double>(rng.below(201)) - 100.0);
        j[static_cast<std::size_t>(i * n + k)] = weight;
        j[static_cast<std::size_t>(k * n + i)] = weight;
      }
    }
  }
  return {n, j};
}

double sum(const double* values, int n) {
  return std::accumulate(values, values + n, 0.0);
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("the dual shift is less than the eigenvalue, and nearly enough") {
    Rng rng(5);
    std::vector<double> h;
    const qubo::Matrix j = beasley(rng, 60, h);
    const std::vector<double> shift = dual_shift(j, h);
    const double dual = sum(shift.data(), 60);
    CHECK(dual > 0.0);
    CHECK(dual < 0.95 * sum(num::elements(convexified(j).shift.data()), 60));
    // The addition that makes the matrix semidefinite for certain is small.
    const double certain = sum(num::elements(convexified(j, h).shift.data()), 60);
    CHECK(certain >= dual);
    CHECK(certain < 1.01 * dual);
  }

  TEST_CASE("one object proves hard problems again and again") {
    Rng rng(6);
    std::vector<double> h;
    const qubo::Matrix j = beasley(rng, 60, h);
    Exact exact(j, {});
    const Stop forever({}, std::numeric_limits<double>::infinity());
    const Result found = exact.solve(h, forever);
    CHECK(found.status == qubo::Status::ProvedOptimal);
    CHECK(found.nodes > 3000);  // the plain shift gets this many
    const Result again = exact.solve(h, forever);
    CHECK(again.nodes == found.nodes);
    CHECK(again.best[0].x == found.best[0].x);
  }
}

}  // namespace oa::solve
