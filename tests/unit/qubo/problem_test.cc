#include "oa/qubo/problem.h"

#include "oa_test.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace oa;

namespace {

/// The formula of the header, term by term.
template <class Coefficient>
double by_definition(const qubo::Problem& p,
                     std::span<const float> h,
                     const std::vector<Coefficient>& x) {
  long double sum = 0;
  const auto m = static_cast<std::size_t>(p.m);
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = 0; b < m; ++b) {
      sum += 0.5L * p.j[a * m + b] * x[a] * x[b];
    }
    sum += static_cast<long double>(h[a]) * x[a];
  }
  return static_cast<double>(sum);
}

}  // namespace

TEST_SUITE_BEGIN("qubo");

TEST_CASE("the energy follows the formula") {
  Rng rng(9);
  for (int round = 0; round < 200; ++round) {
    const int m = 1 + test::below(rng, 20);
    const qubo::Problem p = test::random_problem(rng, m, 3, 4);
    std::vector<std::uint8_t> bits;
    std::vector<float> reals;
    for (int i = 0; i < m; ++i) {
      bits.push_back(static_cast<std::uint8_t>(rng.below(2)));
      reals.push_back(static_cast<float>(rng.uniform()));
    }
    // Double sums of a few hundred terms of size below 1e3 round by less than 1e-10.
    const auto h = p.query(test::below(rng, 3));
    CHECK(std::abs(qubo::energy(p.j, h, bits) - by_definition(p, h, bits)) < 1e-9);
    CHECK(std::abs(qubo::energy(p.j, h, reals) - by_definition(p, h, reals)) < 1e-9);
  }
}

TEST_CASE("coefficients of 0 and 1 have the same energy as bits and as reals") {
  Rng rng(10);
  const qubo::Problem p = test::random_problem(rng, 12, 1, 5);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::uint8_t> bits;
    for (int i = 0; i < 12; ++i) {
      bits.push_back(static_cast<std::uint8_t>(rng.below(2)));
    }
    const std::vector<float> reals(bits.begin(), bits.end());
    CHECK(qubo::energy(p.j, p.query(0), bits) == qubo::energy(p.j, p.query(0), reals));
  }
}

TEST_SUITE_END();
