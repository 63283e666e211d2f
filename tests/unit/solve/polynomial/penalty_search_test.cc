#include "oa/solve/polynomial/penalty_search.h"

#include "oa/base/index.h"
#include "oa/solve/polynomial/enumerate.h"
#include "oa/solve/polynomial/penalty_bound.h"
#include "ref/random_polynomial.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace oa::solve {
namespace {

constexpr Whole kNoLimit = Whole{1} << 125;
constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

/// Random weights of few or many digits, in both forms.
std::vector<WholePolynomial> random_forms(Rng& rng, int n, std::uint64_t seed) {
  qubo::Polynomial q = ref::random_polynomial(rng, n, 5);
  for (qubo::Monomial& m : q.monomials) {
    const int digits = std::array{0, 30, 60}[seed % 3];
    m.weight *= 1.0 + (rng.below(2) == 0 ? 0.0 : std::ldexp(1.0, digits));
  }
  std::vector<WholePolynomial> forms{in_whole_numbers(q)};
  if (auto other = in_other_form(forms.front())) {
    forms.push_back(*std::move(other));
  }
  return forms;
}

/// The number of unsatisfied clauses of three random literals.
WholePolynomial random_clauses(Rng& rng, int n, int clauses) {
  qubo::Polynomial p;
  p.n = n;
  for (int c = 0; c < clauses; ++c) {
    std::vector<std::int32_t> all;
    while (all.size() < 3) {
      const auto i = static_cast<std::int32_t>(rng.below(static_cast<unsigned>(n)));
      if (std::ranges::find(all, i) == all.end()) {
        all.push_back(i);
      }
    }
    std::ranges::sort(all);
    const std::uint32_t negative = rng.below(8);
    for (std::uint32_t some = negative;; some = (some - 1) & negative) {
      qubo::Monomial m{{}, 1.0};
      for (std::uint32_t k = 0; k < 3; ++k) {
        if (((~negative | some) >> k & 1U) != 0) {
          m.variables.push_back(all[k]);
        }
        m.weight = (some >> k & 1U) != 0 ? -m.weight : m.weight;
      }
      p.monomials.push_back(m);
      if (some == 0) {
        break;
      }
    }
  }
  return in_whole_numbers(p);
}

PolynomialTask task_of(const WholePolynomial& p, int top) {
  PolynomialTask task{.p = p};
  task.settings.top = top;
  return task;
}

std::vector<Solution> zero(const WholePolynomial& p) {
  const std::vector<std::uint8_t> x(at(p.n));
  return {{p.energy(x), x}};
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("penalties have the values of their polynomial, and undo restores them") {
    test::each_fork(Rng(51), 60, [&](Rng& rng, int seed) {
      for (const WholePolynomial& p : random_forms(rng, 7, seed)) {
        const Penalties all = penalties_of(p);
        PenaltyState state(all);
        const Stop never;
        PenaltyBound bound(state, never);
        REQUIRE(bound.compute(kNoLimit));
        const Whole at_root = bound.bound();
        REQUIRE(at_root >= all.constant);
        for (std::uint64_t k = 0; k < 128; ++k) {
          const auto x = ref::nth_x(k, p.n);
          for (int i = 0; i < p.n; ++i) {
            REQUIRE(bound.compute(kNoLimit));
            REQUIRE(in_doubles(bound.bound(), all.unit) <= p.energy(x));
            state.assign(2 * i + x[at(i)]);
          }
          REQUIRE(in_doubles(state.paid(), all.unit) == p.energy(x));
          state.undo(rng.below(7));
          state.undo(0);
          REQUIRE(bound.compute(kNoLimit));
          REQUIRE(bound.bound() == at_root);
        }
      }
    });
  }

  TEST_CASE("branching finds the optima that an enumeration finds") {
    test::each_fork(Rng(52), 200, [&](Rng& rng, int seed) {
      const int n = 1 + seed % 12;
      for (const WholePolynomial& p : random_forms(rng, n, seed)) {
        for (const int top : {1, 3, 40}) {
          CAPTURE(top);
          const Enumerated all = enumerate(p, top, 1, {});
          const Result found =
              search_penalties(task_of(p, top), zero(p), kEndless, {}).result;
          REQUIRE(found.status == qubo::Status::ProvedOptimal);
          REQUIRE(found.best.front().value() ==
                  in_doubles(all.best.front().value, p.unit));
          REQUIRE(found.bound <= found.best.front().energy);
          if (top == 1) {
            REQUIRE(count_optima(p, found.best.front(), kEndless, {}) == all.optima);
            continue;
          }
          REQUIRE(found.best.size() == all.best.size());
          for (std::size_t k = 0; k < all.best.size(); ++k) {
            REQUIRE(found.best[k].x == x_of(all.best[k].index, n));
          }
        }
      }
    });
  }

  TEST_CASE("a search that is cut short has a bound, and begins with what is known") {
    test::each_fork(Rng(53), 40, [&](Rng& rng, int seed) {
      const WholePolynomial p = random_forms(rng, 12, seed).back();
      const Whole least = enumerate(p, 1, 1, {}).best.front().value;
      for (const std::int64_t nodes : {1, 2, 4, 8}) {
        PolynomialTask task = task_of(p, 1);
        task.settings.max_nodes = nodes;
        double reported = -std::numeric_limits<double>::infinity();
        task.bounded = [&](double bound) { reported = std::max(reported, bound); };
        const Result found = search_penalties(task, zero(p), kEndless, {}).result;
        CHECK(found.nodes <= nodes);
        CHECK(found.best.front().value() <= zero(p).front().value());
        CHECK(found.bound <= in_doubles(least, p.unit).value);
        CHECK(reported <= in_doubles(least, p.unit).value);
      }
    });
  }

  TEST_CASE("the clauses of MAX-SAT are found in its polynomial, and proofs use them") {
    Rng rng(54);
    for (const auto& [n, clauses] : {std::pair{60, 255}, std::pair{120, 510}}) {
      const WholePolynomial p = random_clauses(rng, n, clauses);
      const Penalties all = penalties_of(p);
      CHECK(in_doubles(all.constant, all.unit).value >= -3.0);
      const Result found =
          search_penalties(task_of(p, 1), zero(p), kEndless, {}).result;
      CHECK(found.status == qubo::Status::ProvedOptimal);
      CHECK(found.bound >= 0.0);
      CHECK(found.best.front().energy == p.energy(found.best.front().x).value);
    }
  }
}

}  // namespace oa::solve
