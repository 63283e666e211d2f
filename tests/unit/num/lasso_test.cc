#include "oa/num/lasso.h"

#include "oa/base/rng.h"
#include "ref/plain_model.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <vector>

using namespace oa;

namespace {

/// J = A'A of n variables and some rank, and h in the range of A', as in attention.
struct Problem {
  test::Plain j;
  test::Plain h;
};

Problem drawn(Rng rng, int n, int rank) {
  test::Plain a(rank, n);
  for (double& v : a.data) {
    v = rng.normal();
  }
  test::Plain q(1, rank);
  for (double& v : q.data) {
    v = 3.0 * rng.normal();
  }
  return {test::product(test::transposed(a), a), test::product(q, a)};
}

}  // namespace

TEST_SUITE_BEGIN("num");

TEST_CASE("the minimum of the LASSO is found from anywhere, at any rank") {
  Rng rng(4);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + test::below(rng, 12);
    const int rank = 1 + test::below(rng, 14);
    const Problem p = drawn(rng.fork(static_cast<std::uint64_t>(trial)), n, rank);
    const double penalty = 0.1 + rng.uniform();
    std::vector<double> x(static_cast<std::size_t>(n));
    for (double& v : x) {
      v = trial % 2 == 0 ? 0.0 : rng.normal();
    }
    num::LassoSearch search(x.size(), p.j.data);
    CHECK(search.solve(p.h.data, penalty, x));
    // At the minimum g = -penalty sign(x) where x is not 0, and |g| <= penalty
    // elsewhere.
    for (int i = 0; i < n; ++i) {
      double g = p.h(0, i);
      for (int k = 0; k < n; ++k) {
        g += p.j(i, k) * x[static_cast<std::size_t>(k)];
      }
      const double own = x[static_cast<std::size_t>(i)];
      if (own == 0.0) {
        CHECK(std::abs(g) <= penalty + 1e-8);
      } else {
        CHECK(g == doctest::Approx(own > 0.0 ? -penalty : penalty).epsilon(1e-8));
      }
    }
  }
}

TEST_CASE("the search gives up on a LASSO without a minimum") {
  const std::vector<double> j{0.0};
  std::vector<double> x{0.0};
  CHECK_FALSE(num::LassoSearch(1, j).solve(std::vector<double>{2.0}, 1.0, x));
  CHECK(x[0] == 0.0);
}

TEST_SUITE_END();
