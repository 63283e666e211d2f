#include "oa/solve/arithmetic/cholesky.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "ref/larger.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace oa::solve {
namespace {

/// A sparse matrix whose smallest eigenvalue is about `least`: that of twice the
/// Laplacian of a random graph is 0.
std::vector<double> graph_matrix(Rng& rng, int n, double least) {
  std::vector<double> a(at(n) * at(n));
  const auto add = [&](int i, int k) {
    a[at(i) * at(n) + at(k)] -= 1.0;
    a[at(k) * at(n) + at(i)] -= 1.0;
    a[at(i) * at(n) + at(i)] += 1.0;
    a[at(k) * at(n) + at(k)] += 1.0;
  };
  for (int i = 1; i < n; ++i) {
    add(i, test::below(rng, i));
    if (const auto k = test::below(rng, n); k != i) {
      add(i, k);
    }
  }
  for (int i = 0; i < n; ++i) {
    a[at(i) * at(n) + at(i)] += least;
  }
  return a;
}

bool sparse_has(const std::vector<double>& a, int n, const Stop& stop) {
  std::vector<int> begin{0};
  std::vector<int> row;
  std::vector<double> value;
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i <= k; ++i) {
      if (const double v = a[at(i) * at(n) + at(k)]; v != 0.0) {
        row.push_back(i);
        value.push_back(v);
      }
    }
    begin.push_back(static_cast<int>(row.size()));
  }
  return has_cholesky({begin, row, value}, stop);
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("a factor multiplied with itself is the matrix") {
    Rng rng(5);
    for (const int n : {1, 2, 47, 48, 49, 130}) {
      CAPTURE(n);
      const std::vector<double> a = graph_matrix(rng, n, 0.1);
      std::vector<double> l = a;
      REQUIRE(cholesky(l, n, {}));
      double worst = 0.0;
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k <= i; ++k) {
          double sum = 0.0;
          for (int m = 0; m <= k; ++m) {
            sum += l[at(m) * at(n) + at(i)] * l[at(m) * at(n) + at(k)];
          }
          worst = test::larger(worst, std::abs(sum - a[at(k) * at(n) + at(i)]));
        }
      }
      CHECK(worst < 1e-12);
    }
  }

  TEST_CASE("only definite matrices have a factor, dense or sparse") {
    Rng rng(6);
    for (int t = 0; t < 60; ++t) {
      const int n = 2 + test::below(rng, 120);
      CAPTURE(n);
      const std::vector<double> yes = graph_matrix(rng, n, 1e-3);
      const std::vector<double> no = graph_matrix(rng, n, -1e-3);
      std::vector<double> copy = yes;
      CHECK(cholesky(copy, n, {}));
      CHECK(sparse_has(yes, n, {}));
      copy = no;
      CHECK_FALSE(cholesky(copy, n, {}));
      CHECK_FALSE(sparse_has(no, n, {}));
    }
  }

  TEST_CASE("a factorisation that is stopped returns nothing") {
    Rng rng(7);
    std::vector<double> a = graph_matrix(rng, 100, 1.0);
    const Stop stop({}, 0.0);
    CHECK_FALSE(sparse_has(a, 100, stop));
    CHECK_FALSE(cholesky(a, 100, stop));
  }
}

}  // namespace oa::solve
