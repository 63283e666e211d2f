#include "oa/num/box/admm.h"

#include "oa/num/box/qp.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"
#include "unit/draw.h"
#include "unit/matrices.h"

#include <doctest/doctest.h>

#include <algorithm>

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
      CHECK(test::largest_difference(whole, low_rank) < 1e-4);
    }
  }
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
  CHECK(test::same_bits(rest, all));
}
