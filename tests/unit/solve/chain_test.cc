#include "oa/base/index.h"
#include "oa/solve/chain/ladder.h"
#include "ref/random_quadratic.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace oa;

namespace {

/// Chi-square of states of a ladder's coldest chain beside exp(-f / T), in standard
/// deviations above its mean.
double deviation(const qubo::Quadratic& f, const solve::Structure& s, double t) {
  const int n = f.size();
  const solve::ChainProblem problem(f, s);
  solve::Ladder ladder(problem, 4.0 * t, t, 4, Rng(17));
  ladder.begin_at_random();
  const solve::Stop never;
  solve::Pace pace(never);
  std::vector<double> counts(std::size_t{1} << n);
  constexpr int kThinning = 8;
  constexpr int kStates = 20'000;
  for (int step = 0; step < 500; ++step) {
    (void)ladder.step(pace);
  }
  for (int k = 0; k < kThinning * kStates; ++k) {
    (void)ladder.step(pace);
    if (k % kThinning == 0) {
      unsigned bits = 0;
      for (int i = 0; i < n; ++i) {
        bits |= unsigned{ladder.coldest().x()[at(i)]} << i;
      }
      counts[bits] += 1.0;
    }
  }
  std::vector<double> weights;
  double sum = 0.0;
  for (unsigned bits = 0; bits < counts.size(); ++bits) {
    weights.push_back(std::exp(-exact_energy(f, ref::bits_of(bits, n)).value() / t));
    sum += weights.back();
  }
  double chi = 0.0;
  double cells = 0.0;
  double rest_expected = 0.0;  // states that are too rare for cells of their own
  double rest = 0.0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const double expected = weights[k] / sum * kStates;
    if (expected < 10.0) {
      rest_expected += expected;
      rest += counts[k];
      continue;
    }
    chi += (counts[k] - expected) * (counts[k] - expected) / expected;
    ++cells;
  }
  if (rest_expected > 10.0) {
    chi += (rest - rest_expected) * (rest - rest_expected) / rest_expected;
    ++cells;
  }
  return (chi - (cells - 1.0)) / std::sqrt(2.0 * (cells - 1.0));
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("chains draw states with the Boltzmann distribution") {
    Rng rng(4);
    const qubo::Quadratic f = ref::normal_quadratic(rng, 6, 0.9);
    // Any variables may be drawn together: the distribution stays.
    const solve::Structure numbers{{{{0, 1}, {1.0, 2.0}}, {{3, 4, 5}, {1.0, 2.0, 4.0}}},
                                   {}};
    const solve::Structure groups{
        {}, {{{0, 1, 2}}, {{3, 4, 5}}, {{0, 3}}, {{1, 4}}, {{2, 5}}}};
    for (const double t : {0.5, 1.0, 3.0}) {
      CHECK(std::abs(deviation(f, {}, t)) < 4.0);
      CHECK(std::abs(deviation(f, numbers, t)) < 4.0);
      CHECK(std::abs(deviation(f, groups, t)) < 4.0);
    }
    CHECK(std::abs(deviation(ref::normal_quadratic(rng, 7, 0.2), {}, 1.0)) < 4.0);
  }
  TEST_CASE("the low digits of a slack follow exchanges, and the distribution stays") {
    const std::vector<double> weights{9.0, 7.0, 8.0, 6.0, 10.0, 1.0, 2.0};
    qubo::Quadratic f(7);
    std::vector<qubo::Term> terms;
    for (int i = 0; i < 7; ++i) {
      const double weight = weights[at(i)];
      f.linear[at(i)] = 0.02 * weight * (weight - 40.0);
      for (int k = i + 1; k < 7; ++k) {
        terms.push_back({i, k, 0.04 * weight * weights[at(k)]});
      }
    }
    f.add(terms);
    CHECK(std::abs(deviation(f, {}, 1.0)) < 4.0);
    const solve::ChainProblem problem(f, {});
    solve::Chain chain(problem, Rng(1));
    for (int k = 0; k < 200; ++k) {
      chain.sweep(0.5);
      CHECK(chain.energy() ==
            doctest::Approx(exact_energy(f, chain.x()).value()).epsilon(1e-9));
    }
  }
  TEST_CASE("energies of chains are those of their states") {
    Rng rng(9);
    for (const double density : {0.05, 1.0}) {
      const qubo::Quadratic f = ref::normal_quadratic(rng, 40, density);
      const solve::Structure s{{{{0, 1, 2, 3, 4, 5, 6}, {1, 2, 4, 8, 16, 32, 64}}},
                               {{{10, 11, 12, 13}}, {{10, 20, 30}}, {{11, 21, 31}}}};
      const solve::ChainProblem problem(f, s);
      solve::Chain chain(problem, Rng(1));
      chain.begin_at_random();
      for (int k = 0; k < 500; ++k) {
        chain.sweep(0.1 + 5.0 * rng.uniform());
        CHECK(chain.energy() ==
              doctest::Approx(exact_energy(f, chain.x()).value()).epsilon(1e-9));
      }
      const double before = chain.energy();
      const solve::Stop never;
      solve::Pace pace(never);
      chain.descend(pace);
      CHECK(chain.energy() <= before);
    }
  }
}
