#include "oa/num/mean_field/mean_field.h"

#include "oa/base/rng.h"
#include "oa/num/gemm.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace oa;
using num::Matrix;

namespace {

/// J = alpha K K' of unit vectors that share a direction, h_i = penalty - beta K q_i.
struct Problem {
  Matrix j;
  Matrix h;
  Matrix k;
  Matrix transposed;
  float alpha;
};

Problem drawn(Rng& rng, int m, int n, int width, double alpha, double shared) {
  Matrix k(m, width);
  Matrix transposed(width, m);
  Matrix q(n, width);
  const auto draw_unit = [&](float* row) {
    double sum = 0.0;
    for (int c = 0; c < width; ++c) {
      row[c] = static_cast<float>(rng.normal() + shared);
      sum += static_cast<double>(row[c]) * static_cast<double>(row[c]);
    }
    for (int c = 0; c < width; ++c) {
      row[c] /= static_cast<float>(std::sqrt(sum));
    }
  };
  for (int i = 0; i < m; ++i) {
    draw_unit(k.row(i));
  }
  for (int i = 0; i < n; ++i) {
    draw_unit(q.row(i));
  }
  Problem p{Matrix(m, m), Matrix(n, m), k, transposed, static_cast<float>(alpha)};
  num::transpose(k, transposed);
  num::transpose(k, p.transposed);
  num::matmul(k, transposed, p.j, static_cast<float>(alpha));
  num::matmul(q, transposed, p.h, static_cast<float>(-2.0 * alpha));
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < m; ++c) {
      p.h(i, c) += static_cast<float>(0.75 * alpha);
    }
  }
  return p;
}

/// The largest |x - sigmoid(-(Jx + h)/T)|, in double.
double residual(const Problem& p, const Matrix& x, double temperature) {
  double most = 0.0;
  for (int i = 0; i < x.rows(); ++i) {
    for (int a = 0; a < x.cols(); ++a) {
      auto field = static_cast<double>(p.h(i, a));
      for (int b = 0; b < x.cols(); ++b) {
        field += static_cast<double>(p.j(a, b)) * static_cast<double>(x(i, b));
      }
      const double goal = 1.0 / (1.0 + std::exp(field / temperature));
      most = std::max(most, std::abs(goal - static_cast<double>(x(i, a))));
    }
  }
  return most;
}

/// The largest |x - sigmoid(-g/T)|.
double furthest(const Matrix& x, const Matrix& g, double temperature) {
  double most = 0.0;
  for (int i = 0; i < x.rows(); ++i) {
    for (int k = 0; k < x.cols(); ++k) {
      const double goal =
          1.0 / (1.0 + std::exp(static_cast<double>(g(i, k)) / temperature));
      most = std::max(most, std::abs(goal - static_cast<double>(x(i, k))));
    }
  }
  return most;
}

/// J with its factors.
num::Gram low_rank(const Problem& p) {
  return {p.j, p.k, p.transposed, p.alpha};
}

}  // namespace

TEST_SUITE_BEGIN("num");

TEST_CASE("a mean field is found whatever the scale, the temperature and the keys") {
  Rng rng(3);
  for (const double alpha : {0.1, 4.0, 48.0}) {
    for (const double shared : {0.0, 1.0, 8.0}) {
      for (const double temperature : {1.0, 0.3, alpha > 10.0 ? 0.25 : 0.05}) {
        for (const auto& [m, n] :
             {std::pair(1, 1), std::pair(24, 3), std::pair(49, 37)}) {
          const Problem p = drawn(rng, m, n, 16, alpha, shared);
          Arena arena(1U << 20);
          num::MeanField solver(n, m, arena);
          Matrix x(n, m);
          Matrix g(n, m);
          solver.solve({p.j}, p.h, false, static_cast<float>(temperature), 0.0F, x, g);
          CAPTURE(alpha);
          CAPTURE(shared);
          CAPTURE(temperature);
          CAPTURE(m);
          // The rounding of Jx times the slope 1/4T.
          CHECK(residual(p, x, temperature) <
                1e-5 + 1e-6 * alpha * std::min(m, 10) / temperature);
          constexpr float kLoose = 0x1p-10F;
          solver.solve(
              {p.j}, p.h, false, static_cast<float>(temperature), kLoose, x, g);
          // J times the error of x, times the slope 1/4T.
          CHECK(residual(p, x, temperature) <
                double{kLoose} *
                    (1.0 + 0.25 * alpha * (1.0 + shared) * m / temperature));
        }
      }
    }
  }
}

TEST_CASE("a mean field of many keys that share a direction is found") {
  Rng rng(3);
  for (const double temperature : {1.0, 0.3}) {
    CAPTURE(temperature);
    const Problem p = drawn(rng, 600, 20, 16, 4.0, 1.0);
    Arena arena(1U << 22);
    num::MeanField solver(20, 600, arena);
    Matrix x(20, 600);
    Matrix g(20, 600);
    solver.solve({p.j}, p.h, false, static_cast<float>(temperature), 0.0F, x, g);
    CHECK(residual(p, x, temperature) < 1e-3);
  }
}

TEST_CASE("a mean field of a low-rank J is that of J") {
  Rng rng(4);
  // Up to 16 columns, V'x is the unknown.
  for (const int width : {1, 5, 16, 17, 40}) {
    for (const double alpha : {0.0, 4.0, 48.0}) {
      for (const float temperature : {1.0F, 0.3F}) {
        for (const float tolerance : {0.0F, 0x1p-10F}) {
          CAPTURE(width);
          CAPTURE(alpha);
          CAPTURE(temperature);
          CAPTURE(tolerance);
          const Problem p = drawn(rng, 300, 20, width, alpha, 0.0);
          Arena arena(1U << 20);
          num::MeanField solver(20, 300, arena);
          Matrix x(20, 300);
          Matrix g(20, 300);
          solver.solve(low_rank(p), p.h, false, temperature, tolerance, x, g);
          const double t{temperature};
          CHECK(residual(p, x, t) <
                1e-5 + 1e-5 * alpha / t + double{tolerance} * (1.0 + 75.0 * alpha / t));
          CHECK(furthest(x, g, t) < 1e-5);
        }
      }
    }
  }
}

TEST_CASE("a mean field is found at low temperature, where keys share a direction") {
  Rng rng(3);
  for (const int m : {100, 1000}) {
    for (const int width : {16, 17, 64}) {
      for (const double shared : {1.0, 8.0}) {
        for (const double alpha : {4.0, 48.0}) {
          for (const double temperature : {1.0, 0.3, 0.05}) {
            CAPTURE(m);
            CAPTURE(width);
            CAPTURE(shared);
            CAPTURE(alpha);
            CAPTURE(temperature);
            const Problem p = drawn(rng, m, 4, width, alpha, shared);
            Arena arena(1U << 20);
            num::MeanField solver(4, m, arena);
            Matrix x(4, m);
            Matrix g(4, m);
            solver.solve(
                low_rank(p), p.h, false, static_cast<float>(temperature), 0.0F, x, g);
            // A sum of 1000 floats, one after another, is off by up to 6e-5 of its
            // size.
            CHECK(residual(p, x, temperature) < 1e-5 + 6e-5 * alpha / temperature);
          }
        }
      }
    }
  }
}

TEST_CASE("a causal mean field of a few columns is zero after its query") {
  constexpr int kTokens = 300;
  constexpr float kMasked = 1e9F;
  Rng rng(6);
  Problem p = drawn(rng, kTokens, kTokens, 7, 4.0, 0.0);
  for (int i = 0; i < kTokens; ++i) {
    std::fill(p.h.row(i) + i + 1, p.h.row(i) + kTokens, kMasked);
  }
  Arena arena(1U << 20);
  num::MeanField solver(kTokens, kTokens, arena);
  Matrix x(kTokens, kTokens);
  Matrix g(kTokens, kTokens);
  solver.solve(low_rank(p), p.h, true, 0.3F, 0.0F, x, g);
  CHECK(residual(p, x, 0.3) < 1e-4);
  // A row does not depend on other rows.
  Matrix alone(1, kTokens);
  Matrix field(1, kTokens);
  Matrix h(1, kTokens);
  for (const int i : {0, 17, kTokens - 1}) {
    std::copy_n(p.h.row(i), kTokens, h.row(0));
    solver.solve(low_rank(p), h, false, 0.3F, 0.0F, alone, field);
    for (int k = 0; k < kTokens; ++k) {
      CHECK(x(i, k) == doctest::Approx(alone(0, k)).epsilon(1e-4));
      CHECK((k <= i || x(i, k) == 0.0F));
    }
  }
}

TEST_CASE("a mean field of NaN ends") {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  constexpr float kHuge = std::numeric_limits<float>::max();
  Rng rng(5);
  for (const int m : {9, 256}) {  // the latter by 3 columns
    for (const float bad :
         {kInfinite, -kInfinite, kHuge, std::numeric_limits<float>::quiet_NaN()}) {
      CAPTURE(m);
      CAPTURE(bad);
      Problem p = drawn(rng, m, 4, 3, 4.0, 0.0);
      p.j(2, 2) = bad;
      p.k(2, 2) = p.transposed(2, 2) = bad;
      p.h(1, 1) = bad;
      Arena arena(1U << 20);
      num::MeanField solver(4, m, arena);
      Matrix x(4, m);
      Matrix g(4, m);
      solver.solve(low_rank(p), p.h, false, 0.25F, 0.0F, x, g);
      // x belongs to the returned g.
      for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < m; ++k) {
          CHECK((std::isnan(g(i, k)) || (x(i, k) >= 0.0F && x(i, k) <= 1.0F)));
        }
      }
    }
  }
}

TEST_SUITE_END();
