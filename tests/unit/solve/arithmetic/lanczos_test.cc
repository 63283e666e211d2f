#include "oa/solve/arithmetic/lanczos.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace oa::solve {
namespace {

/// A path of n vertices, whose eigenvalues are 2 cos(k pi / (n + 1)).
void path(std::span<const double> v, std::span<double> out) {
  for (std::size_t i = 0; i < v.size(); ++i) {
    out[i] = (i > 0 ? v[i - 1] : 0.0) + (i + 1 < v.size() ? v[i + 1] : 0.0);
  }
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("the lowest eigenvalue of a path, a little too high") {
    for (const int n : {1, 2, 10, 200}) {
      CAPTURE(n);
      const double lowest = 2.0 * std::cos(std::numbers::pi * n / (n + 1));
      const double found = lowest_eigenvalue(n, 80, path, {});
      CHECK(found >= lowest - 1e-9);
      CHECK(found <= lowest + 0.01);
    }
  }

  TEST_CASE("a stopped run reports its best solution") {
    CHECK(std::abs(lowest_eigenvalue(50, 80, path, Stop({}, 0.0))) <= 2.0);
  }
}

}  // namespace oa::solve
