#include "oa/num/box/admm.h"

#include "oa/base/rng.h"
#include "oa/num/box/qp.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace oa;
using num::Matrix;

namespace {

struct Problems {
  Matrix v;
  Matrix j;
  Matrix h;

  Problems(int n, int m, int d, float scale)
      : v(test::drawn_matrix(m, d, 5)),
        j(m, m),
        h(n, m) {
    const Matrix q = test::drawn_matrix(n, d, 6);
    Matrix transposed(d, m);
    num::transpose(v, transposed);
    num::matmul(v, transposed, j, 2.0F * scale * scale);
    num::matmul(q, transposed, h, -2.0F * scale);
    for (int i = 0; i < n * m; ++i) {
      h(i / m, i % m) += 0.01F;
    }
  }
};

double distance(const Matrix& a, const Matrix& b) {
  double most = 0.0;
  for (int i = 0; i < a.rows(); ++i) {
    for (int k = 0; k < a.cols(); ++k) {
      most = std::max(most, static_cast<double>(std::abs(a(i, k) - b(i, k))));
    }
  }
  return most;
}

}  // namespace

TEST_CASE("low-rank iterations are those of the whole matrix") {
  for (const auto constraint : {num::Constraint::Box, num::Constraint::Absolute}) {
    for (const int m : {5, 30, 49}) {
      constexpr int kQueries = 7;
      constexpr int kWidth = 12;
      const Problems p(kQueries, m, kWidth, 0.3F);
      num::AdmmSettings settings;
      settings.iterations = 25;
      settings.constraint = constraint;
      settings.penalty = constraint == num::Constraint::Absolute ? 0.2F : 0.0F;
      Arena arena(1U << 20);
      Matrix whole(kQueries, m);
      Matrix slope(kQueries, m);
      num::Admm(kQueries, m, arena).solve(p.j, p.h, settings, whole, slope);
      Matrix low_rank(kQueries, m);
      num::LowRankAdmm solver(4, m, kWidth, arena);
      solver.prepare(p.v, 0.3F, settings);
      for (int i = 0; i < kQueries; i += 4) {
        const int count = std::min(4, kQueries - i);
        const num::ConstView h = p.h;
        const num::View x = low_rank;
        solver.solve({h.row(i), count, m, h.stride}, {x.row(i), count, m, x.stride});
      }
      CHECK(distance(whole, low_rank) < 1e-4);
    }
  }
}

TEST_CASE("many low-rank iterations are at the minimum") {
  const Problems p(6, 40, 8, 0.3F);
  num::AdmmSettings settings;
  settings.iterations = 3000;
  Arena arena(1U << 20);
  num::LowRankAdmm solver(6, 40, 8, arena);
  solver.prepare(p.v, 0.3F, settings);
  Matrix x(6, 40);
  solver.solve(p.h, x);
  Matrix slope(6, 40);
  num::copy(p.h, slope);
  num::matmul_add(x, p.j, slope);
  CHECK(num::box_qp_residual(p.j, x, slope) < 1e-3F);
}

TEST_CASE("low-rank iterations go on where a call before ended") {
  const Problems p(6, 40, 8, 0.3F);
  Arena arena(1U << 20);
  num::LowRankAdmm solver(6, 40, 8, arena);
  const auto solved = [&](int iterations, bool warm) {
    num::AdmmSettings settings;
    settings.iterations = iterations;
    solver.prepare(p.v, 0.3F, settings);
    Matrix x(6, 40);
    solver.solve(p.h, x, warm);
    return x;
  };
  const Matrix all = solved(30, false);
  solved(20, false);
  const Matrix rest = solved(10, true);
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 40; ++k) {
      CHECK(rest(i, k) == all(i, k));
    }
  }
}
