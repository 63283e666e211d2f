#include "oa/encode/least_squares.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/qubo/levels.h"
#include "oa/score/least_squares.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace oa;

namespace {

/// Numbers that doubles and floats hold exactly.
std::vector<double> numbers(int count, Rng& rng) {
  std::vector<double> all;
  for (int k = 0; k < count; ++k) {
    all.push_back(static_cast<double>(rng.below(33)) / 4.0 - 4.0);
  }
  return all;
}

/// The levels of choice number k.
std::vector<std::uint8_t> choice(int k, int m, int levels) {
  std::vector<std::uint8_t> all;
  for (int i = 0; i < m; ++i) {
    all.push_back(static_cast<std::uint8_t>(k % levels));
    k /= levels;
  }
  return all;
}

/// The problem with a choice as the solution of its only query.
qubo::SolvedProblem solved(const qubo::Problem& p, std::vector<std::uint8_t> levels) {
  qubo::SolvedProblem s;
  s.problem = p;
  s.x = p.coefficients == Coefficients::Levels
            ? qubo::spins_of(qubo::code_of(p), levels)
            : std::move(levels);
  s.energy = {qubo::energy(p, 0, s.x)};
  return s;
}

}  // namespace

TEST_SUITE("encode") {
  TEST_CASE("energies of all choices are squared residuals but for a constant") {
    Rng rng(7);
    for (const qubo::Alphabet alphabet : {qubo::Alphabet{0.0, 1.0, 2},
                                          qubo::Alphabet{-1.0, 1.0, 2},
                                          qubo::Alphabet{0.0, 1.0, 3},
                                          qubo::Alphabet{-3.0, 3.0, 4}}) {
      const int m = 3;
      const int d = 2;
      const std::vector<double> v = numbers(m * d, rng);
      const std::vector<double> q = numbers(d, rng);
      const double lambda = alphabet.lowest == 0.0 ? 0.5 : 0.0;
      const qubo::Problem p = encode::encode(
          {.m = m, .n = 1, .d = d, .v = v, .q = q, .lambda = lambda}, alphabet);
      CHECK(p.of_task());
      const auto all = static_cast<int>(std::pow(alphabet.levels, m));
      double constant = 0.0;
      for (int k = 0; k < all; ++k) {
        const std::vector<std::uint8_t> levels = choice(k, m, alphabet.levels);
        std::vector<double> output{-q[0], -q[1]};
        double cost = 0.0;
        for (int i = 0; i < m; ++i) {
          const double x = alphabet.value(levels[at(i)]);
          output[0] += x * v[at(i * d)];
          output[1] += x * v[at(i * d + 1)];
          cost += lambda * std::abs(x);
        }
        const double residual = output[0] * output[0] + output[1] * output[1];
        const qubo::SolvedProblem s = solved(p, levels);
        constant = k == 0 ? residual + cost - s.energy[0] : constant;
        CHECK(s.energy[0] + constant == doctest::Approx(residual + cost));
        const score::LeastSquares count =
            score::count_least_squares(s, alphabet, levels);
        CHECK(count.residuals == doctest::Approx(residual));
        REQUIRE(count.errors);
        CHECK(count.errors->wrong_bits == 0);
        CHECK(count.errors->as_low == 1);
      }
    }
  }
  TEST_CASE("errors are counted by problem, complex symbol and bit") {
    const qubo::Alphabet symbols{-3.0, 3.0, 4, true};
    const std::vector<double> v{1.0, 0.0, 0.0, 1.0, 0.0, -1.0, 1.0, 0.0};
    const std::vector<double> q{0.0, 0.0};
    const qubo::Problem p =
        encode::encode({.m = 4, .n = 1, .d = 2, .v = v, .q = q}, symbols);
    // Both parts of the first symbol are wrong: by one level, and by two.
    const score::LeastSquares count = score::count_least_squares(
        solved(p, {1, 3, 0, 0}), symbols, std::vector<std::uint8_t>{2, 3, 2, 0});
    REQUIRE(count.errors);
    CHECK(count.errors->problems == 1);
    CHECK(count.errors->symbols == 2);
    CHECK(count.errors->wrong_symbols == 1);
    CHECK(count.errors->bits == 8);
    CHECK(count.errors->wrong_bits == 3);
    score::LeastSquares twice = count;
    twice += count;
    CHECK(twice.problems == 2);
    CHECK(twice.errors->wrong_bits == 6);
  }
}
