#include "oa/solve/exact/rank_one/rank_one.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/solve/exact/prove.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"
#include "unit/solve/solution_at.h"

#include <doctest/doctest.h>

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace oa::solve {
namespace {

/// factor / 2 (sum of a x)^2 + sum of linear x
qubo::Quadratic square(std::span<const double> a,
                       double factor,
                       std::span<const double> linear) {
  const int n = static_cast<int>(a.size());
  qubo::Quadratic f(n);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    terms.push_back({i, i, 0.5 * factor * a[at(i)] * a[at(i)] + linear[at(i)]});
    for (int k = i + 1; k < n; ++k) {
      terms.push_back({i, k, factor * a[at(i)] * a[at(k)]});
    }
  }
  f.add(terms);
  return f;
}

/// The square of the difference of the sums of two parts.
qubo::Quadratic partition(std::span<const double> numbers) {
  std::vector<double> twice;
  std::vector<double> linear;
  double sum = 0.0;
  for (const double a : numbers) {
    sum += a;
  }
  for (const double a : numbers) {
    twice.push_back(2.0 * a);
    linear.push_back(-4.0 * sum * a);
  }
  auto f = square(twice, 2.0, linear);
  f.add_constant(sum * sum);
  return f;
}

std::optional<Result> solve(const qubo::Quadratic& f) {
  const Solution known;
  return solve_rank_one({.f = f, .settings = {}, .known = known}, {});
}

/// -most to most, but not 0.
double number(Rng& rng, int most) {
  const double a = 1.0 + static_cast<double>(rng.below(static_cast<unsigned>(most)));
  return rng.below(2) == 0 ? a : -a;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("couplings that are products give the smallest of all minima") {
    test::each_fork(Rng(101), 16, [&](Rng& rng, int t) {
      const int most = t % 2 == 0 ? 3 : 1000;  // few numbers have many minima
      std::vector<double> a;
      std::vector<double> linear;
      for (int i = 0; i < 16; ++i) {
        a.push_back(number(rng, most) * (i == 0 ? 4.0 : 6.0));
        linear.push_back(t % 4 < 2 ? number(rng, 10 * most) : -3.0 * a.back());
      }
      const auto f = square(a, t % 3 == 0 ? -0.375 : 0.375, linear);
      const auto found = solve(f);
      REQUIRE(found);
      const Solution best = solution_at(f, ref::smallest_optimum(f));
      CHECK(found->best.front().x == best.x);
      CHECK(found->best.front().value() == best.value());
      CHECK(found->bound == best.energy);
      CHECK(found->status == qubo::Status::ProvedOptimal);
    });
  }

  TEST_CASE("an equal partition of 40 numbers is found and proved") {
    Rng rng(103);
    std::vector<double> numbers;
    double left = 0.0;
    for (int i = 0; i < 39; ++i) {
      numbers.push_back(static_cast<double>(1 + rng.below(999'999)));
      left += left > 0.0 ? -numbers.back() : numbers.back();
    }
    numbers.push_back(left == 0.0 ? 2.0 : left);
    const auto f = partition(numbers);
    const Solution known = solution_at_zero(f);
    const Result found =
        prove_without_tree({.f = f, .settings = {}, .known = known}, {1, {1}}, {});
    CHECK(found.status == qubo::Status::ProvedOptimal);
    CHECK(found.best.front().energy == 0.0);
    CHECK(found.proof == "products");
  }

  TEST_CASE("small sums make long lists short: one of 128 variables is chosen") {
    const std::vector<double> ones(128, 1.0);
    std::vector<double> linear(128, -2.0);
    linear[70] = -2.5;
    const auto found = solve(square(ones, 4.0, linear));
    REQUIRE(found);
    CHECK(found->best.front().energy == -0.5);
    CHECK(found->best.front().x[70] == 1);
  }

  TEST_CASE("other couplings, long lists and large numbers are left to others") {
    std::vector<double> a;
    Rng rng(107);
    for (int i = 0; i < 50; ++i) {
      a.push_back(number(rng, 1'000'000));
    }
    const std::vector<double> linear(50, 0.0);
    CHECK(!solve(square(a, 1.0, linear)));
    const auto few = std::span(a).first(20);
    const auto none = std::span(linear).first(20);
    CHECK(solve(square(few, 1.0, none)));
    auto other = square(few, 1.0, none);
    other.add(qubo::Terms{{17, 19, 1.0}});
    CHECK(!solve(other));
    auto large = square(few, 1.0, none);
    large.add_linear(qubo::Terms{{3, 3, 1e30}});
    CHECK(!solve(large));
  }

  TEST_CASE("a search that is stopped at once finds nothing") {
    std::stop_source source;
    source.request_stop();
    const std::vector<double> ones(20, 1.0);
    const auto f = square(ones, 4.0, std::vector<double>(20, -2.0));
    const Solution known;
    CHECK(!solve_rank_one({.f = f, .settings = {}, .known = known},
                          Stop(source.get_token(), 1e9)));
  }
}

}  // namespace oa::solve
