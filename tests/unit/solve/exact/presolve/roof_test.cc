#include "oa/solve/exact/presolve/roof.h"

#include "ref/random_quadratic.h"
#include "unit/draw.h"
#include "unit/solve/random_sparse.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace oa::solve {
namespace {

/// The least value of vectors with the decided values.
double least_of(const qubo::Quadratic& f, const std::vector<std::int8_t>& values) {
  double best = 0.0;
  bool any = false;
  ref::each_x(f.size(), [&](const auto& x) {
    bool fits = true;
    for (std::size_t i = 0; i < x.size(); ++i) {
      fits = fits && (values[i] < 0 || values[i] == x[i]);
    }
    if (fits) {
      const double e = qubo::energy(f, x);
      best = any ? std::min(best, e) : e;
      any = true;
    }
  });
  return best;
}

std::vector<std::int8_t> decided_of(const qubo::Quadratic& f,
                                    Persistency persistency = Persistency::Some) {
  const Stop never;
  Pace pace(never);
  return roof_persistencies(
      in_whole_numbers(f, digits_of(f).unit, pace), persistency, never);
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("a minimum has all the values that roof duality decides") {
    int decided = 0;
    test::each_fork(Rng(51), 600, [&](Rng& rng) {
      const int n = 2 + test::below(rng, 9);
      const auto f = random_sparse(rng, n, 3.0 / n, true);
      const auto values = decided_of(f);
      CHECK(least_of(f, values) == ref::best_value(f));
      decided += static_cast<int>(
          std::ranges::count_if(values, [](std::int8_t value) { return value >= 0; }));
    });
    CHECK(decided > 1500);
  }

  TEST_CASE("if all couplings attract, everything is decided") {
    Rng rng(52);
    qubo::Quadratic f(400);
    std::vector<qubo::Term> terms;
    for (int i = 0; i < 400; ++i) {
      f.linear[static_cast<std::size_t>(i)] = static_cast<double>(rng.below(21)) - 6.0;
      for (int k = 0; k < 3; ++k) {
        terms.push_back({i,
                         (i + 1 + test::below(rng, 399)) % 400,
                         -1.0 - static_cast<double>(rng.below(3))});
      }
    }
    f.add(terms);
    CHECK(std::ranges::none_of(decided_of(f),
                               [](std::int8_t value) { return value < 0; }));
  }

  TEST_CASE("every minimum has the decided values") {
    int decided = 0;
    test::each_fork(Rng(53), 600, [&](Rng& rng) {
      const int n = 2 + test::below(rng, 9);
      const auto f = random_sparse(rng, n, 3.0 / n, true);
      const auto values = decided_of(f, Persistency::Every);
      const double best = ref::best_value(f);
      ref::each_x(f.size(), [&](const auto& x) {
        for (std::size_t i = 0; i < x.size(); ++i) {
          CHECK((values[i] < 0 || values[i] == x[i] || qubo::energy(f, x) > best));
        }
      });
      decided += static_cast<int>(
          std::ranges::count_if(values, [](std::int8_t value) { return value >= 0; }));
    });
    CHECK(decided > 500);
  }

  TEST_CASE("fractions count as whole numbers of the smallest") {
    qubo::Quadratic f(3);
    f.linear = {-0.25, 0.5, -0.125};
    f.add(qubo::Terms{{0, 1, 0.5}, {1, 2, -0.25}});
    CHECK(decided_of(f) == std::vector<std::int8_t>{1, 0, 1});
    f.linear[1] = 0x1p-100;
    CHECK(decided_of(f) == std::vector<std::int8_t>{1, 0, 1});
  }
}

}  // namespace oa::solve
