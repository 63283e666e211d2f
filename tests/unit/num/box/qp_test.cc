#include "oa/num/box/qp.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/num/box/admm.h"
#include "oa/num/cholesky.h"
#include "oa/num/gemm.h"
#include "oa/num/gram.h"
#include "oa/num/mean_field/scaled_cg.h"
#include "oa/num/rows.h"
#include "ref/plain_attention.h"
#include "ref/plain_model.h"
#include "unit/draw.h"
#include "unit/matrices.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

using namespace oa;
using num::Matrix;

namespace {

/// J = 2VV' of rank `rank` and fields like those of an attention.
struct BoxQp {
  Matrix j;
  Matrix h;
  Matrix v;
  Matrix transposed;

  /// J with its factors.
  num::Gram gram() const { return {j, v, transposed, 2.0F}; }
};

BoxQp drawn(Rng& rng, int m, int n, int rank) {
  const float size = 1.0F / std::sqrt(static_cast<float>(rank));
  const Matrix v = test::drawn_matrix(m, rank, rng, size);
  Matrix transposed(rank, m);
  BoxQp p{Matrix(m, m), {}, {}, {}};
  num::transpose(v, transposed);
  num::matmul(v, transposed, p.j, 2.0F);
  p.h = test::drawn_matrix(n, m, rng);
  p.v = v;
  p.transposed = transposed;
  return p;
}

}  // namespace

TEST_SUITE_BEGIN("num");

TEST_CASE("coordinate descent and ADMM find the solution of the box QP") {
  Rng rng(5);
  for (const auto& [m, n] : {std::pair(5, 3), std::pair(49, 7), std::pair(81, 4)}) {
    const BoxQp p = drawn(rng, m, n, 2 * m);
    const test::Plain expected =
        test::plain_coefficients(test::plain(p.j), test::plain(p.h), 0.0);
    Matrix x(n, m);
    Matrix g(n, m);
    num::box_qp_descent({p.j}, p.h, {1e-7F, 10000}, x, g);
    CHECK(test::distance(x, expected) < 1e-4);
    CHECK(num::box_qp_residual(p.j, x, g) < 1e-5F);

    Arena arena(1U << 20);
    num::Admm admm(n, m, arena);
    num::AdmmSettings settings;
    settings.iterations = 3000;
    admm.solve(p.j, p.h, settings, x, g);
    CHECK(test::distance(x, expected) < 1e-3);
  }
}

TEST_CASE("descent begins at 0, whatever x and g contain") {
  Rng rng(6);
  const BoxQp p = drawn(rng, 49, 5, 100);
  Matrix x(5, 49);
  Matrix g(5, 49);
  num::box_qp_descent({p.j}, p.h, {1e-7F, 10000}, x, g);
  Matrix other_x(5, 49);
  Matrix other_g(5, 49);
  num::fill(other_x, 0.7F);
  num::fill(other_g, -3.0F);
  num::box_qp_descent({p.j}, p.h, {1e-7F, 10000}, other_x, other_g);
  CHECK(test::same_bits(x, other_x));
  CHECK(test::same_bits(g, other_g));
}

TEST_CASE("few sweeps suffice, for any condition number of the free part") {
  Rng rng(14);
  // Keys of length 1 in few dimensions, near each other: coordinate by coordinate, the
  // coefficients inside the box take hundreds of sweeps.
  for (const int m : {49, 400}) {
    CAPTURE(m);
    const int n = 20;
    BoxQp p = drawn(rng, m, n, 12);
    for (int i = 0; i < m; ++i) {
      p.v(i, 0) += 3.0F;
      float square = 0.0F;
      for (int k = 0; k < 12; ++k) {
        square += p.v(i, k) * p.v(i, k);
      }
      for (int k = 0; k < 12; ++k) {
        p.v(i, k) /= std::sqrt(square);
      }
    }
    num::transpose(p.v, p.transposed);
    num::matmul(p.v, p.transposed, p.j, 2.0F);
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < m; ++k) {
        p.h(i, k) = -1.5F * p.j(17 * i % m, k) + 0.1F * p.h(i, k) + 0.3F;
      }
    }
    const test::Plain expected =
        test::plain_coefficients(test::plain(p.j), test::plain(p.h), 0.0);
    // The factors show that a short J has few columns.
    const auto grams =
        m < 256 ? std::vector{p.gram(), num::Gram{p.j, {}, p.transposed, 2.0F}}
                : std::vector{p.gram(), num::Gram{p.j}};
    for (const num::Gram& gram : grams) {
      Matrix x(n, m);
      Matrix g(n, m);
      num::box_qp_descent(gram, p.h, {1e-4F, 12}, x, g);
      CHECK(num::box_qp_residual(p.j, x, g) < 2e-4F);
      for (int i = 0; i < n; ++i) {
        const auto energy = [&](auto&& of) {
          double sum = 0.0;
          for (int a = 0; a < m; ++a) {
            sum += double{p.h(i, a)} * of(a);
            for (int b = 0; b < m; ++b) {
              sum += 0.5 * of(a) * double{p.j(a, b)} * of(b);
            }
          }
          return sum;
        };
        const double least = energy([&](int k) { return expected(i, k); });
        CHECK(least < -0.1);
        CHECK(energy([&](int k) { return double{x(i, k)}; }) - least < 1e-5);
      }
    }
  }
}

TEST_CASE("in a causal problem row i is that of its first i + 1 coordinates") {
  Rng rng(15);
  for (const int m : {40, 300}) {
    CAPTURE(m);
    BoxQp p = drawn(rng, m, m, 16);
    for (int i = 0; i < m; ++i) {
      std::fill(p.h.row(i) + i + 1, p.h.row(i) + m, 1e4F);
    }
    Matrix whole_x(m, m);
    Matrix whole_g(m, m);
    num::box_qp_descent(p.gram(), p.h, {1e-6F, 10000}, whole_x, whole_g);
    for (const num::Gram& gram : {p.gram(), num::Gram{p.j}}) {
      Matrix x(m, m);
      Matrix g(m, m);
      num::box_qp_descent(
          gram, p.h, {.tolerance = 1e-6F, .sweeps = 10000, .causal = true}, x, g);
      CHECK(num::box_qp_residual(p.j, x, g) < 1e-5F);
      for (int i = 0; i < m; ++i) {
        for (int k = 0; k <= i; ++k) {
          CHECK(std::abs(g(i, k) - whole_g(i, k)) < 5e-3F);
        }
        for (int k = i + 1; k < m; ++k) {
          CHECK(x(i, k) == 0.0F);
          CHECK(g(i, k) > 9e3F);
          // Only vectors with coordinates of the row are computed.
          CHECK((gram.factor.rows > 0 || k < num::padded(i + 1) || g(i, k) == 1e4F));
        }
      }
    }
  }
}

TEST_CASE("products with the factors of a low-rank J find the same coefficients") {
  Rng rng(11);
  for (const auto& [m, n, rank] :
       {std::tuple(256, 30, 8), std::tuple(300, 21, 64), std::tuple(333, 9, 20)}) {
    CAPTURE(m);
    const BoxQp p = drawn(rng, m, n, rank);
    REQUIRE(p.gram().low_rank());
    REQUIRE_FALSE(num::Gram{p.j}.low_rank());
    for (const int sweeps : {0, 1, 2, 10000}) {
      CAPTURE(sweeps);
      Matrix x(n, m);
      Matrix g(n, m);
      num::box_qp_descent({p.j}, p.h, {1e-6F, sweeps}, x, g);
      Matrix low_rank_x(n, m);
      Matrix low_rank_g(n, m);
      num::box_qp_descent(p.gram(), p.h, {1e-6F, sweeps}, low_rank_x, low_rank_g);
      // Directions without curvature may end elsewhere, but at the same g.
      CHECK(test::distance(low_rank_g, test::plain(g)) < 5e-3);
      if (sweeps < 10000) {
        CHECK(test::distance(low_rank_x, test::plain(x)) < 2e-3);
      } else {
        CHECK(num::box_qp_residual(p.j, low_rank_x, low_rank_g) < 1e-5F);
      }
      Matrix sums(n, m);
      num::copy(p.h, sums);
      num::matmul_add(low_rank_x, p.j, sums);
      CHECK(test::distance(sums, test::plain(low_rank_g)) < 5e-3);
    }
  }
}

TEST_CASE("factors are not used if few coordinates move") {
  Rng rng(12);
  BoxQp p = drawn(rng, 300, 20, 16);
  for (int i = 0; i < 20; ++i) {
    for (int k = 0; k < 300; ++k) {
      p.h(i, k) += 5.0F;
    }
    p.h(i, 7 * i) = -1.0F;
  }
  Matrix x(20, 300);
  Matrix g(20, 300);
  num::box_qp_descent({p.j}, p.h, {1e-6F, 1000}, x, g);
  Matrix low_rank_x(20, 300);
  Matrix low_rank_g(20, 300);
  num::box_qp_descent(p.gram(), p.h, {1e-6F, 1000}, low_rank_x, low_rank_g);
  CHECK(test::same_bits(x, low_rank_x));
  CHECK(test::same_bits(g, low_rank_g));
}

TEST_CASE("J need not be there where its factor is, in rows of any number") {
  Rng rng(12);
  for (const auto& [m, n] :
       {std::pair(5, 1), std::pair(70, 3), std::pair(300, 16), std::pair(300, 40)}) {
    CAPTURE(m);
    CAPTURE(n);
    const BoxQp p = drawn(rng, m, n, 16);
    Matrix x(n, m);
    Matrix g(n, m);
    num::box_qp_descent({p.j}, p.h, {1e-6F, 1000}, x, g);
    Matrix low_rank_x(n, m);
    Matrix low_rank_g(n, m);
    const num::Gram factors{{}, {}, p.transposed, 2.0F};
    CHECK(factors.size() == m);
    for (const int sweeps : {0, 1, 2}) {
      CAPTURE(sweeps);
      num::box_qp_descent(factors, p.h, {1e-6F, sweeps}, low_rank_x, low_rank_g);
      Matrix sums(n, m);
      num::copy(p.h, sums);
      num::matmul_add(low_rank_x, p.j, sums);
      CHECK(test::distance(low_rank_g, test::plain(sums)) < 1e-3);
    }
    num::box_qp_descent(factors, p.h, {1e-6F, 1000}, low_rank_x, low_rank_g);
    CHECK(test::distance(low_rank_g, test::plain(g)) < 5e-3);
    CHECK(num::box_qp_residual(p.j, low_rank_x, low_rank_g) < 1e-5F);
  }
}

TEST_CASE("degenerate box QPs end: rank one, zero matrix, zero rows") {
  Rng rng(7);
  BoxQp p = drawn(rng, 20, 3, 1);
  for (int k = 0; k < 20; ++k) {
    p.j(4, k) = p.j(k, 4) = 0.0F;
  }
  Matrix x(3, 20);
  Matrix g(3, 20);
  num::box_qp_descent({p.j}, p.h, {1e-6F, 1000}, x, g);
  CHECK(num::box_qp_residual(p.j, x, g) < 1e-3F);
  CHECK(x(0, 4) == (p.h(0, 4) < 0.0F ? 1.0F : 0.0F));

  const Matrix none(20, 20);
  num::box_qp_descent({none}, p.h, {1e-6F, 1000}, x, g);
  for (int k = 0; k < 20; ++k) {
    CHECK(x(1, k) == (p.h(1, k) < 0.0F ? 1.0F : 0.0F));
  }
}

TEST_CASE("ADMM with a penalty solves the LASSO") {
  Rng rng(8);
  const BoxQp p = drawn(rng, 15, 4, 30);
  Matrix x(4, 15);
  Matrix g(4, 15);
  Arena arena(1U << 20);
  num::Admm admm(4, 15, arena);
  num::AdmmSettings settings;
  settings.iterations = 3000;
  settings.constraint = num::Constraint::Absolute;
  settings.penalty = 0.4F;
  admm.solve(p.j, p.h, settings, x, g);
  const double penalty = static_cast<double>(settings.penalty);
  CHECK(test::distance(
            x, test::plain_coefficients(test::plain(p.j), test::plain(p.h), penalty)) <
        1e-3);
}

TEST_CASE("the gradient of unrolled ADMM is that of its iterations") {
  Rng rng(9);
  BoxQp p = drawn(rng, 12, 3, 24);
  Arena arena(1U << 20);
  num::Admm admm(3, 12, arena);
  num::AdmmSettings settings;
  settings.iterations = 400;  // near convergence, the fixed rho has no influence
  Matrix x(3, 12);
  Matrix g(3, 12);
  const Matrix dx = test::drawn_matrix(3, 12, rng);
  admm.solve(p.j, p.h, settings, x, g);
  Matrix dh(3, 12);
  Matrix dj(12, 12);
  admm.backward(p.h, settings, dx, dh, dj);
  // The expected values: differences of the solution in double.
  const auto along = [&](const test::Plain& j, const test::Plain& h) {
    const test::Plain at = test::plain_coefficients(j, h, 0.0);
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 12; ++k) {
        sum += at(i, k) * static_cast<double>(dx(i, k));
      }
    }
    return sum;
  };
  const test::Plain j = test::plain(p.j);
  const test::Plain h = test::plain(p.h);
  constexpr double kStep = 1e-6;
  for (int k = 0; k < 12; ++k) {
    test::Plain above = h;
    test::Plain below = h;
    above(1, k) += kStep;
    below(1, k) -= kStep;
    const double difference = (along(j, above) - along(j, below)) / (2.0 * kStep);
    CHECK(static_cast<double>(dh(1, k)) ==
          doctest::Approx(difference).epsilon(1e-2).scale(1.0));
    above = below = j;
    above(3, k) += kStep;
    below(3, k) -= kStep;
    if (k != 3) {
      above(k, 3) += kStep;
      below(k, 3) -= kStep;
    }
    const double both = (along(above, h) - along(below, h)) / (2.0 * kStep);
    const float found = k == 3 ? dj(3, 3) : dj(3, k) + dj(k, 3);
    CHECK(static_cast<double>(found) == doctest::Approx(both).epsilon(1e-2).scale(1.0));
  }
}

TEST_CASE("scaled conjugate gradients solve their systems") {
  Rng rng(10);
  const BoxQp p = drawn(rng, 33, 6, 40);
  Matrix s(6, 33);
  Matrix b(6, 33);
  Matrix w(6, 33);
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 33; ++k) {
      s(i, k) = k % 5 == 0 ? 0.0F : static_cast<float>(std::abs(rng.normal()));
      b(i, k) = static_cast<float>(rng.normal());
    }
  }
  Arena arena(1U << 20);
  num::ScaledCg cg(6, 33, arena);
  cg.solve({p.j}, s, b, false, {.tolerance = 1e-5F, .iterations = 200}, w);
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 33; ++k) {
      if (s(i, k) == 0.0F) {
        CHECK(w(i, k) == 0.0F);
        continue;
      }
      // s (b - Jw - w/s^2) = 0
      double left = static_cast<double>(b(i, k));
      for (int l = 0; l < 33; ++l) {
        left -= static_cast<double>(p.j(k, l)) * static_cast<double>(w(i, l));
      }
      const auto scale = static_cast<double>(s(i, k));
      left = left * scale - static_cast<double>(w(i, k)) / scale;
      CHECK(std::abs(left) < 1e-3);
    }
  }
}

TEST_CASE("conjugate gradients with a low-rank J are those with J") {
  Rng rng(13);
  constexpr int kSize = 270;
  const BoxQp p = drawn(rng, kSize, 13, 40);
  REQUIRE(p.gram().low_rank());
  for (const bool causal : {false, true}) {
    Matrix s(kSize, kSize);
    Matrix b(kSize, kSize);
    for (int i = 0; i < kSize; ++i) {
      for (int k = 0; k < (causal ? i + 1 : kSize); ++k) {
        s(i, k) = k % 5 == 0 ? 0.0F : static_cast<float>(std::abs(rng.normal()));
        b(i, k) = static_cast<float>(rng.normal());
      }
    }
    Arena arena(1U << 20);
    num::ScaledCg cg(kSize, kSize, arena);
    const num::ScaledCg::Limits limits{.tolerance = 1e-6F, .iterations = 300};
    Matrix w(kSize, kSize);
    cg.solve({p.j}, s, b, causal, limits, w);
    Matrix low_rank(kSize, kSize);
    cg.solve(p.gram(), s, b, causal, limits, low_rank);
    CHECK(test::distance(low_rank, test::plain(w)) < 1e-3);
  }
}

TEST_CASE("Cholesky solves, and leaves directions without curvature at zero") {
  std::vector<double> matrix{4, 2, 0, 2, 5, 0, 0, 0, 0};
  std::vector<double> right{8, 18, 7};
  num::cholesky_solve(matrix, right);
  CHECK(right[0] == doctest::Approx(0.25));
  CHECK(right[1] == doctest::Approx(3.5));
  CHECK(right[2] == 0.0);
}

TEST_SUITE_END();
