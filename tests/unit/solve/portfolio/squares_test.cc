#include "oa/solve/portfolio/squares.h"

#include "oa/base/rng.h"
#include "unit/draw.h"
#include "unit/solve/recover/planted.h"

#include <doctest/doctest.h>

#include <vector>

namespace oa::solve {
namespace {

using test::between;

/// A quadratic knapsack of one or two rows: items, then slack digits of each row, or
/// none for equations.
Squares knapsacks(Rng& rng, double penalty) {
  constexpr int kDigits = 3;
  const int items = between(rng, 4, 6);
  const int rows = between(rng, 1, 2);
  const bool equations = rng.below(3) == 0;
  Squares all{.squares = {},
              .rest = qubo::Quadratic(items + (equations ? 0 : rows * kDigits))};
  std::vector<qubo::Term> terms;
  for (int i = 0; i < items; ++i) {
    for (int k = 0; k <= i; ++k) {
      const double cost = rng.below(4) == 0 ? 25.0 : 0.0;
      terms.push_back({k, i, cost - between(rng, 0, 20)});
    }
  }
  all.rest.add(terms);
  for (int k = 0; k < rows; ++k) {
    Square s{.entries = {}, .right = between(rng, 5, 12), .penalty = penalty};
    for (int i = 0; i < items; ++i) {
      s.entries.push_back({i, between(rng, 1, 6)});
    }
    for (int d = 0; d < kDigits && !equations; ++d) {
      const std::int32_t slack = items + k * kDigits + d;
      s.entries.push_back({slack, std::int64_t{1} << d});
      s.slack.push_back(slack);
    }
    all.squares.push_back(std::move(s));
  }
  return all;
}

TEST_SUITE("solve: squares") {
  TEST_CASE("proofs of knapsacks and of their penalties are those of all x") {
    CheckedProofs checked;
    test::each_fork(Rng(17), 400, [&](Rng& rng) {
      const double penalties[] = {3.0, 9.0, 30.0};
      const Squares all = knapsacks(rng, penalties[rng.below(3)]);
      qubo::Quadratic f = all.rest;
      for (const Square& s : all.squares) {
        add_square(f, s);
      }
      checked.check(f, all, rng);
    });
    CHECK(checked.proved > 0);
    CHECK(checked.sufficient > 0);
  }
}

}  // namespace
}  // namespace oa::solve
