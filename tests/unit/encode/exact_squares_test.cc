#include "oa/encode/exact_squares.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace oa;

namespace {

std::vector<double> numbers_around(int count, double base, Rng& rng) {
  std::vector<double> all;
  for (int k = 0; k < count; ++k) {
    all.push_back(base + rng.normal());
  }
  return all;
}

/// The levels of choice number k.
std::vector<std::uint8_t> levels_at(int k, int m, int levels) {
  std::vector<std::uint8_t> all;
  for (int i = 0; i < m; ++i) {
    all.push_back(static_cast<std::uint8_t>(k % levels));
    k /= levels;
  }
  return all;
}

/// |q - x'V|^2 - |q|^2 + lambda |x|_1
double exact_energy_of(const encode::LeastSquares& s,
                       const qubo::Alphabet& alphabet,
                       const std::vector<std::uint8_t>& levels) {
  long double energy = 0.0;
  for (int c = 0; c < s.d; ++c) {
    long double rest = s.q[at(c)];
    for (int a = 0; a < s.m; ++a) {
      rest -= static_cast<long double>(alphabet.value(levels[at(a)])) *
              s.v[at(a) * at(s.d) + at(c)];
    }
    energy += rest * rest - static_cast<long double>(s.q[at(c)]) * s.q[at(c)];
  }
  for (const std::uint8_t level : levels) {
    energy += s.lambda * alphabet.value(level);
  }
  return static_cast<double>(energy);
}

}  // namespace

TEST_SUITE("encode") {
  TEST_CASE(
      "exact energies are those of the given numbers; floats differ by rounding") {
    Rng rng(11);
    for (const qubo::Alphabet alphabet : {qubo::Alphabet{0.0, 1.0, 2},
                                          qubo::Alphabet{-1.0, 1.0, 2},
                                          qubo::Alphabet{0.0, 1.0, 3},
                                          qubo::Alphabet{0.0, 1.0, 4},
                                          qubo::Alphabet{-3.0, 3.0, 4},
                                          qubo::Alphabet{-5.0, 5.0, 6}}) {
      const int m = 3;
      const int d = 4;
      const std::vector<double> v = numbers_around(m * d, 50.0, rng);
      const std::vector<double> q = numbers_around(d, 70.0, rng);
      const encode::LeastSquares problem{.m = m,
                                         .n = 1,
                                         .d = d,
                                         .v = v,
                                         .q = q,
                                         .lambda = alphabet.lowest == 0.0 ? 0.1 : 0.0};
      const qubo::Problem rounded = encode::encode(problem, alphabet);
      const encode::ExactSquares exact(problem, alphabet, rounded);
      const qubo::Quadratic f = exact.function(0);
      const double steps = rounded.steps.empty() ? 1.0 : double{rounded.steps[0]};
      CHECK(exact.rounding(0) > 0.0);
      for (int k = 0; k < static_cast<int>(std::pow(alphabet.levels, m)); ++k) {
        const std::vector<std::uint8_t> levels = levels_at(k, m, alphabet.levels);
        const std::vector<std::uint8_t> digits = exact.digits_of(levels);
        CHECK(exact.levels_of(digits) == levels);
        const double energy = qubo::energy(f, digits) / (steps * steps);
        const double whole = energy + exact.constant(0).value();
        CHECK(whole == doctest::Approx(exact_energy_of(problem, alphabet, levels)));
        const std::vector<std::uint8_t> x =
            rounded.coefficients == Coefficients::Levels
                ? qubo::spins_of(qubo::code_of(rounded), levels)
                : levels;
        const double change = std::abs(qubo::energy(rounded, 0, x) - energy);
        CHECK(change <= exact.rounding(0));
      }
    }
  }

  TEST_CASE("floats of short numbers are exact; tiny numbers have no bound") {
    const std::vector<double> v{1.0, 0.5, -3.0, 2.0};
    std::vector<double> q{1.25, -2.0};
    const qubo::Alphabet spins{-1.0, 1.0, 2};
    const auto rounding = [&] {
      const encode::LeastSquares problem{.m = 2, .n = 1, .d = 2, .v = v, .q = q};
      const qubo::Problem rounded = encode::encode(problem, spins);
      return encode::ExactSquares(problem, spins, rounded).rounding(0);
    };
    CHECK(rounding() == 0.0);
    q[0] = 1e-200;
    CHECK(std::isinf(rounding()));
  }

  TEST_CASE("digits in a wrong order never have the least energy") {
    const std::vector<double> v{3.0, -1.0};
    const std::vector<double> q{1.5};
    const qubo::Alphabet halves{0.0, 1.0, 3};
    const encode::LeastSquares problem{.m = 2, .n = 1, .d = 1, .v = v, .q = q};
    const qubo::Problem rounded = encode::encode(problem, halves);
    const encode::ExactSquares exact(problem, halves, rounded);
    const qubo::Quadratic f = exact.function(0);
    std::vector<double> valid;
    std::vector<double> all;
    for (int y = 0; y < 16; ++y) {
      const std::vector<std::uint8_t> digits = levels_at(y, 4, 2);
      all.push_back(qubo::energy(f, digits));
      if (exact.digits_of(exact.levels_of(digits)) == digits) {
        valid.push_back(all.back());
      }
    }
    CHECK(valid.size() == 9);
    const double least = std::ranges::min(valid);
    CHECK(std::ranges::min(all) == least);
    CHECK(std::ranges::count(all, least) == std::ranges::count(valid, least));
  }
}
