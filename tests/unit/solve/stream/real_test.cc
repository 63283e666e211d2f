#include "oa/solve/stream/real.h"

#include "oa/base/error.h"
#include "oa_test.h"
#include "ref/plain_model.h"
#include "ref/random_problem.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

using namespace oa;

namespace {

const solve::RealSettings kUnlimited{std::numeric_limits<double>::infinity(), false};

/// J = 2 V V' of random values, m = 9 of width 4: semidefinite, of rank 4.
qubo::Problem drawn(Coefficients kind, std::uint64_t seed) {
  Rng rng(seed);
  qubo::Problem p;
  p.m = 9;
  p.n = 3;
  p.d = 4;
  p.coefficients = kind;
  for (int i = 0; i < p.m * p.d; ++i) {
    p.v.push_back(static_cast<float>(rng.normal()) / 4);
  }
  const auto v = [&](int row, int col) {
    return p.v[static_cast<std::size_t>(row * p.d + col)];
  };
  p.j.resize(81);
  for (int a = 0; a < p.m; ++a) {
    for (int b = 0; b <= a; ++b) {
      float sum = 0.0F;
      for (int k = 0; k < p.d; ++k) {
        sum += 2 * v(a, k) * v(b, k);
      }
      p.j[static_cast<std::size_t>(a * 9 + b)] = sum;
      p.j[static_cast<std::size_t>(b * 9 + a)] = sum;
    }
  }
  for (int i = 0; i < p.n; ++i) {
    std::vector<float> q;
    for (int k = 0; k < p.d; ++k) {
      q.push_back(static_cast<float>(rng.normal()));
    }
    for (int a = 0; a < p.m; ++a) {
      float sum = kind == Coefficients::Lasso ? 0.0F : 0.125F;
      for (int k = 0; k < p.d; ++k) {
        sum -= 2 * q[static_cast<std::size_t>(k)] * v(a, k);
      }
      p.h.push_back(sum);
    }
  }
  p.l1 = kind == Coefficients::Lasso ? 0.125F : 0.0F;
  return p;
}

test::Plain plain(const std::vector<float>& values, int rows, int cols) {
  test::Plain to(rows, cols);
  std::ranges::copy(values, to.data.begin());
  return to;
}

/// One problem in one variable.
qubo::Problem single(Coefficients kind, float j, float h, float l1 = 0.0F) {
  qubo::Problem p;
  p.m = p.n = p.d = 1;
  p.j = {j};
  p.h = {h};
  p.v = {1};
  p.coefficients = kind;
  p.l1 = l1;
  return p;
}

float answer(const qubo::Problem& p) {
  return solve::solve_real(p, kUnlimited, "p").real_x[0];
}

}  // namespace

TEST_SUITE_BEGIN("solve");

TEST_CASE("real: one coefficient goes to its minimum") {
  constexpr auto kBox = Coefficients::Continuous;
  constexpr auto kLasso = Coefficients::Lasso;
  CHECK(answer(single(kBox, 4, -1)) == 0.25F);
  CHECK(answer(single(kBox, 4, -8)) == 1.0F);
  CHECK(answer(single(kBox, 4, 1)) == 0.0F);
  CHECK(answer(single(kBox, 0, -1)) == 1.0F);
  CHECK(answer(single(kLasso, 4, -8, 1)) == 1.75F);
  CHECK(answer(single(kLasso, 4, 8, 1)) == -1.75F);
  CHECK(answer(single(kLasso, 4, 0.5F, 1)) == 0.0F);
  CHECK(answer(single(kLasso, 0, 0.5F, 1)) == 0.0F);
}

TEST_CASE("real: energies are those of plain coordinate descent, penalty included") {
  for (const auto kind : {Coefficients::Continuous, Coefficients::Lasso}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const qubo::Problem p = drawn(kind, seed);
      const auto s = solve::solve_real(p, kUnlimited, "p");
      const test::Plain x = test::plain_coefficients(
          plain(p.j, p.m, p.m), plain(p.h, p.n, p.m), double{p.l1});
      REQUIRE(s.real_x.size() == 27);
      CHECK(s.x.empty());
      for (int q = 0; q < p.n; ++q) {
        std::vector<float> row;
        for (int k = 0; k < p.m; ++k) {
          row.push_back(static_cast<float>(x(q, k)));
        }
        const double least = qubo::energy(p.j, p.query(q), row, p.l1);
        CHECK(s.energy[static_cast<std::size_t>(q)] ==
              doctest::Approx(least).epsilon(1e-5));
        CHECK(s.status[static_cast<std::size_t>(q)] == qubo::Status::BestFound);
      }
    }
  }
}

TEST_CASE("real: a problem without a minimum is refused") {
  const auto refusal = [](const qubo::Problem& p) {
    return test::message_of<InputError>([&] { (void)answer(p); });
  };
  CHECK(refusal(single(Coefficients::Continuous, -1, 0)) ==
        "p: J is not positive semidefinite (expected a convex problem for continuous "
        "coefficients)");
  CHECK(refusal(single(Coefficients::Lasso, 0, 2, 1)) == "p: query 0 has no minimum");
}

TEST_CASE("real: a time limit is kept and reported") {
  qubo::Problem p = single(Coefficients::Continuous, 1, -1);
  p.m = 2;
  p.j = {1, 0.999F, 0.999F, 1};  // some 10,000 sweeps
  p.h = {-0.5F, -0.4996F};
  p.v = {1, 1};
  const auto s = solve::solve_real(p, {0.0, true}, "p");
  CHECK(s.status[0] == qubo::Status::Stopped);
  CHECK(s.energy[0] < 0.0);
  CHECK(s.seconds[0] > 0.0);
  CHECK(solve::solve_real(p, kUnlimited, "p").status[0] == qubo::Status::BestFound);
}

TEST_SUITE_END();
