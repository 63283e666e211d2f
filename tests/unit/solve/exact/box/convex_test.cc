#include "oa/solve/exact/box/convex.h"

#include "ref/random_problem.h"
#include "ref/targets.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace oa::solve {
namespace {

// The least pivot of a Cholesky factorisation in extended precision, relative to the
// largest.  It is below zero by more than its rounding only if A is indefinite.
long double least_pivot(const Convex& q) {
  std::vector<std::vector<long double>> a;
  for (int i = 0; i < q.n; ++i) {
    a.emplace_back(q.row(i), q.row(i) + q.n);
  }
  long double least = 0.0L;
  long double most = 0.0L;
  for (std::size_t done = 0; done < a.size(); ++done) {
    std::size_t p = done;
    for (std::size_t i = done; i < a.size(); ++i) {
      p = a[i][i] > a[p][p] ? i : p;
    }
    std::swap(a[p], a[done]);
    for (auto& row : a) {
      std::swap(row[p], row[done]);
    }
    const long double pivot = a[done][done];
    most = std::max(most, pivot);
    least = std::min(least, pivot);
    if (pivot <= 1e-17L * most) {
      break;
    }
    for (std::size_t i = done + 1; i < a.size(); ++i) {
      const long double factor = a[i][done] / pivot;
      for (std::size_t k = done + 1; k < a.size(); ++k) {
        a[i][k] -= factor * a[done][k];
      }
    }
  }
  return most > 0.0L ? least / most : least;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("a convexified matrix is semidefinite, and J with a larger diagonal") {
    ref::on_each_target([&] {
      test::each_fork(Rng(23), 150, [&](Rng& rng, int t) {
        const auto problem = ref::random_problem(rng.fork(0), 1 + test::below(rng, 60));
        // Without time the shift is a simple one.
        const Convex q = convexified(problem.j, Stop({}, t % 3 == 0 ? 0.0 : 1e9));
        CAPTURE(problem.kind);
        CHECK(least_pivot(q) >= -1e-18L);
        for (int i = 0; i < q.n; ++i) {
          const double shift = num::elements(q.shift.data())[i];
          CHECK(shift >= 0.0);
          const double size = std::abs(problem.j(i, i)) + shift;  // rounded three times
          CHECK(std::abs(q.row(i)[i] - problem.j(i, i) - shift) <= 4 * 0x1p-53 * size);
          for (int k = 0; k < q.n; ++k) {
            CHECK((k == i || q.row(i)[k] == problem.j(i, k)));
          }
        }
      });
    });
  }

  TEST_CASE("the shift is rounding where J is semidefinite, its eigenvalue where not") {
    Rng rng(29);
    const int n = 40;
    std::vector<float> values(n * n);
    std::vector<double> v(n * 5);
    std::ranges::generate(v, [&] { return rng.normal(); });
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) {
        double sum = 0.0;
        for (int k = 0; k < 5; ++k) {
          sum += v[static_cast<std::size_t>(5 * a + k)] *
                 v[static_cast<std::size_t>(5 * b + k)];
        }
        values[static_cast<std::size_t>(a * n + b)] = static_cast<float>(sum);
      }
    }
    const Convex low = convexified(qubo::Matrix(n, values));
    CHECK(!low.lifted);
    CHECK(*std::max_element(num::elements(low.shift.data()),
                            num::elements(low.shift.data()) + n) < 1e-4);
    // -7 on the diagonal lowers every eigenvalue by 7.
    for (int i = 0; i < n; ++i) {
      values[static_cast<std::size_t>(i * n + i)] -= 7.0F;
    }
    const Convex lifted = convexified(qubo::Matrix(n, values));
    CHECK(lifted.lifted);
    for (int i = 0; i < n; ++i) {
      CHECK(num::elements(lifted.shift.data())[i] > 6.99);
      CHECK(num::elements(lifted.shift.data())[i] < 7.2);
    }
  }

  TEST_CASE("a restricted matrix is that of some variables") {
    const auto problem = ref::random_problem(Rng(31), 20);
    const Convex q = convexified(problem.j);
    const std::vector<int> some{3, 7, 8, 19};
    const Convex r = restricted(q, some);
    for (int i = 0; i < r.n; ++i) {
      for (int k = 0; k < r.n; ++k) {
        CHECK(
            r.row(i)[k] ==
            q.row(
                some[static_cast<std::size_t>(i)])[some[static_cast<std::size_t>(k)]]);
      }
    }
  }
}

}  // namespace oa::solve
