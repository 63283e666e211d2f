#include "oa/solve/exact/spin/bound.h"

#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <limits>

namespace oa::solve {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The Max-Cut problem of a ring, to be minimised: an odd ring has n - 1 cut edges.
qubo::Quadratic ring(int n) {
  qubo::Quadratic f(n);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    f.linear[static_cast<std::size_t>(i)] = -2.0;
    terms.push_back({i, (i + 1) % n, 2.0});
  }
  f.add(terms);
  return f;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("no vector is below the semidefinite bound") {
    test::each_fork(Rng(41), 200, [&](Rng& rng) {
      auto f = converted(ref::random_quadratic(rng, 1 + test::below(rng, 12)),
                         qubo::Vartype::Binary)
                   .f;
      f.sense = qubo::Sense::Min;
      const double bound = spin_bound(f, Stop({}, kInfinity));
      CHECK(bound <= ref::best_value(f));
      CHECK(bound > -kInfinity);
    });
  }

  TEST_CASE("the bound of a ring is known, and not of dense matrices only") {
    // n cos^2(pi / 2n) edges, for odd n.
    CHECK(spin_bound(ring(5), Stop({}, kInfinity)) ==
          doctest::Approx(-4.5225).epsilon(1e-3));
    const double large = spin_bound(ring(2501), Stop({}, kInfinity));
    CHECK(large <= -2500.0);
    CHECK(large > -2503.0);
  }

  TEST_CASE("a graph without weights has its bound, too") {
    // d is far from converged, and the lowest eigenvalue is estimated as positive.
    Rng rng(5);
    std::vector<qubo::Term> terms;
    for (int k = 0; k < 4000; ++k) {
      const auto a = static_cast<std::int32_t>(rng.below(400));
      const auto b = static_cast<std::int32_t>(rng.below(400));
      if (a != b) {
        terms.insert(terms.end(), {{a, b, 2.0}, {a, a, -1.0}, {b, b, -1.0}});
      }
    }
    qubo::Quadratic cut(400);
    cut.add(terms);
    const double bound = spin_bound(cut, Stop({}, kInfinity));
    CHECK(bound > -3100.0);
    CHECK(bound < -2600.0);
  }

  TEST_CASE("work that takes too long is not started") {
    CHECK(spin_bound(ring(500), Stop({}, 1e-3)) == -kInfinity);
  }
}

}  // namespace oa::solve
