#include "oa/num/mean_field.h"

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
  Matrix turned;
  float alpha;
};

Problem drawn(Rng& rng, int m, int n, int width, double alpha, double shared) {
  Matrix k(m, width);
  Matrix turned(width, m);
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
  Problem p{Matrix(m, m), Matrix(n, m), k, turned, static_cast<float>(alpha)};
  num::transpose(k, turned);
  num::transpose(k, p.turned);
  num::matmul(k, turned, p.j, static_cast<float>(alpha));
  num::matmul(q, turned, p.h, static_cast<float>(-2.0 * alpha));
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
          // Rounding of Jx, as the slope 1/4T makes it larger.
          CHECK(residual(p, x, temperature) <
                1e-5 + 1e-6 * alpha * std::min(m, 10) / temperature);
          constexpr float kLoose = 0x1p-10F;
          solver.solve(
              {p.j}, p.h, false, static_cast<float>(temperature), kLoose, x, g);
          // J times what x is off by, at a slope of 1/4T.
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

TEST_CASE("a mean field of a thin J is that of J") {
  Rng rng(4);
  for (const double alpha : {4.0, 48.0}) {
    CAPTURE(alpha);
    const Problem p = drawn(rng, 300, 20, 16, alpha, 0.0);
    const num::Gram thin{p.j, p.k, p.turned, p.alpha};
    REQUIRE(thin.thin());
    Arena arena(1U << 20);
    num::MeanField solver(20, 300, arena);
    Matrix x(20, 300);
    Matrix g(20, 300);
    solver.solve(thin, p.h, false, 0.3F, 0.0F, x, g);
    CHECK(residual(p, x, 0.3) < 1e-5 + 1e-5 * alpha / 0.3);
  }
}

TEST_CASE("a mean field of what is no number ends") {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  constexpr float kHuge = std::numeric_limits<float>::max();
  Rng rng(5);
  for (const float bad :
       {kInfinite, -kInfinite, kHuge, std::numeric_limits<float>::quiet_NaN()}) {
    CAPTURE(bad);
    Problem p = drawn(rng, 9, 4, 3, 4.0, 0.0);
    p.j(2, 2) = bad;
    Arena arena(1U << 20);
    num::MeanField solver(4, 9, arena);
    Matrix x(4, 9);
    Matrix g(4, 9);
    solver.solve({p.j}, p.h, false, 0.25F, 0.0F, x, g);
    // Whatever it found is said of the g that came with it.
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 9; ++k) {
        CHECK((std::isnan(g(i, k)) || (x(i, k) >= 0.0F && x(i, k) <= 1.0F)));
      }
    }
  }
}

TEST_SUITE_END();
