#include "oa/num/box/search.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/num/mean_field/search.h"
#include "ref/plain_model.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
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

std::vector<double> gradient(const Problem& p, const std::vector<double>& x) {
  std::vector<double> g = p.h.data;
  for (int i = 0; i < p.j.rows; ++i) {
    for (int k = 0; k < p.j.rows; ++k) {
      g[at(i)] += p.j(i, k) * x[at(k)];
    }
  }
  return g;
}

}  // namespace

TEST_SUITE_BEGIN("num");

TEST_CASE("the minimum over the box is found from anywhere, at any rank") {
  Rng rng(4);
  for (int trial = 0; trial < 200; ++trial) {
    CAPTURE(trial);
    const int n = 1 + test::below(rng, 30);
    const int rank = 1 + test::below(rng, 32);
    const Problem p = drawn(rng.fork(static_cast<std::uint64_t>(trial)), n, rank);
    std::vector<double> x(at(n));
    for (double& v : x) {
      v = trial % 2 == 0 ? 0.0 : rng.normal();
    }
    num::BoxSearch search(x.size(), p.j.data);
    CHECK(search.solve(p.h.data, x));
    const std::vector<double> g = gradient(p, x);
    for (int i = 0; i < n; ++i) {
      const double goal = std::clamp(x[at(i)] - g[at(i)] / p.j(i, i), 0.0, 1.0);
      CHECK(std::abs(goal - x[at(i)]) < 1e-9);
    }
  }
}

TEST_CASE("the mean field in double precision satisfies its equation") {
  Rng rng(5);
  for (int trial = 0; trial < 50; ++trial) {
    CAPTURE(trial);
    const int n = 1 + test::below(rng, 20);
    const Problem p = drawn(rng.fork(static_cast<std::uint64_t>(trial)), n, 8);
    const double temperature = 1.0 + rng.uniform();
    std::vector<double> x(at(n), 0.5);
    num::MeanFieldSearch search(x.size(), p.j.data);
    CHECK(search.solve(p.h.data, temperature, x));
    const std::vector<double> g = gradient(p, x);
    for (int i = 0; i < n; ++i) {
      CHECK(std::abs(x[at(i)] - 1.0 / (1.0 + std::exp(g[at(i)] / temperature))) < 1e-9);
    }
  }
}

TEST_SUITE_END();
