#include "oa/solve/exact/presolve/presolve.h"

#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

namespace oa::solve {
namespace {

/// The whole x with the first minimum of what presolving leaves, by exhaustive search.
std::vector<std::uint8_t> first_minimum(const qubo::Quadratic& f,
                                        const Presolve& reduced) {
  const qubo::Quadratic& rest = reduced.rest();
  const double least = rest.size() > 0 ? ref::best_value(rest) : 0.0;
  std::vector<std::uint8_t> first;
  ref::each_x(rest.size(), [&](auto y) {
    if (rest.size() > 0 && qubo::energy(rest, y) == least &&
        (first.empty() || y < first)) {
      first = std::move(y);
    }
  });
  std::vector<std::uint8_t> x(f.linear.size());
  for (std::size_t k = 0; k < first.size(); ++k) {
    x[static_cast<std::size_t>(reduced.variables()[k])] = first[k];
  }
  reduced.restore(x);
  return x;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("presolving keeps the minimum, and restoring reaches it") {
    int reduced_away = 0;
    test::each_fork(Rng(21), 400, [&](Rng& rng) {
      auto f = converted(ref::random_quadratic(rng, 1 + test::below(rng, 11)),
                         qubo::Vartype::Binary)
                   .f;
      f.sense = qubo::Sense::Min;
      const Presolve reduced(f, digits_of(f).unit, {});
      CHECK(qubo::energy(f, first_minimum(f, reduced)) == ref::best_value(f));
      reduced_away += f.size() - reduced.rest().size();
    });
    CHECK(reduced_away > 400);
  }

  TEST_CASE("a tree vanishes") {
    qubo::Quadratic tree(50);
    std::vector<qubo::Term> terms;
    for (int i = 1; i < 50; ++i) {
      terms.push_back({i, i / 3, i % 2 != 0 ? 3.0 : -2.0});
      tree.linear[static_cast<std::size_t>(i)] = i % 5 - 2.0;
    }
    tree.add(terms);
    CHECK(Presolve(tree, 0, {}).rest().size() == 0);
  }

  TEST_CASE("sums that are not doubles are kept exactly") {
    qubo::Quadratic f(2);
    f.linear = {-1.0, 0x1p-60};
    f.add(qubo::Terms{{0, 1, -1.0}});
    const Presolve reduced(f, -60, {});
    CHECK(reduced.rest().size() == 0);
    ExactSum least = qubo::exact_energy(reduced.rest(), {});
    least.add(2.0);
    CHECK(least.value() == 0x1p-60);
  }

  TEST_CASE("the smallest of several minima survives, if asked for") {
    int reduced_away = 0;
    test::each_fork(Rng(22), 600, [&](Rng& rng) {
      const int n = 2 + test::below(rng, 9);
      qubo::Quadratic f(n);  // with weights -1, 0 and 1, so that ties are frequent
      const bool symmetric = rng.below(2) != 0;
      f.vartype = symmetric ? qubo::Vartype::Spin : qubo::Vartype::Binary;
      std::vector<qubo::Term> terms;
      for (int i = 0; i < n; ++i) {
        f.linear[static_cast<std::size_t>(i)] =
            symmetric ? 0.0 : static_cast<double>(rng.below(3)) - 1.0;
        for (int k = 0; k < i; ++k) {
          if (rng.below(3) == 0) {
            terms.push_back({i, k, static_cast<double>(rng.below(3)) - 1.0});
          }
        }
      }
      f.add(terms);
      f = converted(f, qubo::Vartype::Binary).f;
      const std::vector<std::uint8_t> smallest = ref::smallest_optimum(f);
      const Presolve reduced(f, -2, {symmetric, Ties::Smallest});
      std::vector<std::uint8_t> x = smallest;
      // `smallest` is among the minima of the rest, and restoring gives it.
      reduced.restore(x);
      CHECK(x == smallest);
      reduced_away += n - reduced.rest().size();
      CHECK(first_minimum(f, reduced) == smallest);
    });
    CHECK(reduced_away > 600);
  }
}

}  // namespace oa::solve
