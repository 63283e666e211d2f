#include "oa/solve/sample/sample.h"

#include "oa/base/index.h"
#include "oa/solve/chain/ladder.h"
#include "oa/solve/sample/tree_distribution.h"
#include "ref/random_quadratic.h"
#include "ref/sampled.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace oa;

namespace {

/// Couplings of neighbours of a square grid.
qubo::Quadratic grid(int side, Rng& rng) {
  qubo::Quadratic f(side * side);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < side; ++i) {
    for (int k = 0; k < side; ++k) {
      f.linear[at(i * side + k)] = 0.3 * rng.normal();
      if (i + 1 < side) {
        terms.push_back({i * side + k, (i + 1) * side + k, rng.normal()});
      }
      if (k + 1 < side) {
        terms.push_back({i * side + k, i * side + k + 1, rng.normal()});
      }
    }
  }
  f.add(terms);
  return f;
}

/// f beside a dense problem of 40 variables, for which no tree is small enough.
qubo::Quadratic beside_dense(const qubo::Quadratic& f, Rng& rng) {
  const int n = f.size() + 40;
  qubo::Quadratic both(n);
  std::vector<qubo::Term> terms = f.terms();
  for (int i = 0; i < n; ++i) {
    both.linear[at(i)] = i < f.size() ? f.linear[at(i)] : 0.0;
    for (int k = std::max(i + 1, f.size()); i >= f.size() && k < n; ++k) {
      terms.push_back({i, k, 0.1 * rng.normal()});
    }
  }
  both.add(terms);
  return both;
}

struct Listed {
  std::vector<double> probabilities;  // of all states
  std::vector<double> ones;
};

Listed listed(const qubo::Quadratic& f, double t) {
  const int n = f.size();
  Listed all;
  all.ones.resize(at(n));
  std::vector<double> energies;
  ref::each_x(n,
              [&](const auto& x) { energies.push_back(exact_energy(f, x).value()); });
  const double least = std::ranges::min(energies);
  double sum = 0.0;
  for (const double e : energies) {
    all.probabilities.push_back(std::exp(-(e - least) / t));
    sum += all.probabilities.back();
  }
  for (unsigned bits = 0; bits < 1U << n; ++bits) {
    all.probabilities[bits] /= sum;
    for (int i = 0; i < n; ++i) {
      all.ones[at(i)] += (bits >> i & 1U) != 0 ? all.probabilities[bits] : 0.0;
    }
  }
  return all;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("samples of trees and of chains have the distribution of all states") {
    Rng rng(21);
    const solve::Stop never;
    for (int k = 0; k < 20; ++k) {  // 4 to 16 variables
      const int n = 4 + 12 * k / 19;
      const qubo::Quadratic f = ref::normal_quadratic(rng, n, 0.3 + 0.035 * k);
      for (const double t : {0.3, 1.0, 4.0}) {
        const Listed all = listed(f, t);
        const solve::SampleSettings settings{.samples = 2000, .temperature = t};
        const solve::Samples samples =
            solve::draw_samples(f, settings, rng.fork(5), never);
        CHECK(samples.exact);
        REQUIRE(samples.states.size() == 2000);
        CHECK(ref::worst(ref::means_of(samples.states), all.ones, 2000.0) < 4.5);
        const solve::Marginals marginals =
            solve::marginals_of(f, settings, rng.fork(6), never);
        CHECK(marginals.exact);
        for (std::size_t i = 0; i < all.ones.size(); ++i) {
          CHECK(marginals.ones[i] == doctest::Approx(all.ones[i]).epsilon(1e-9));
        }
        double chi = 0.0;
        std::vector<double> counts(all.probabilities.size());
        for (const auto& x : samples.states) {
          unsigned bits = 0;
          for (int i = 0; i < n; ++i) {
            bits |= unsigned{x[at(i)]} << i;
          }
          ++counts[bits];
        }
        double cells = -1.0;
        for (std::size_t b = 0; b < counts.size(); ++b) {
          const double expected = 2000.0 * all.probabilities[b];
          if (expected >= 10.0) {
            chi += (counts[b] - expected) * (counts[b] - expected) / expected;
            ++cells;
          }
        }
        CHECK(chi <= cells + 1.0 + 5.0 * std::sqrt(2.0 * cells + 2.0));
        const solve::Samples chains = solve::draw_samples(
            f, {.samples = 400, .temperature = t, .trees = false}, rng.fork(5), never);
        CHECK_FALSE(chains.exact);
        REQUIRE(chains.states.size() == 400);
        CHECK(ref::worst(ref::means_of(chains.states), all.ones, chains.effective) <
              4.5);
        CHECK(ref::worst(chains.marginals.ones, all.ones, chains.marginals.effective) <
              4.5);
      }
    }
  }
  TEST_CASE("chains agree with the exact marginals of a grid, within their errors") {
    Rng rng(8);
    const solve::Stop never;
    const qubo::Quadratic f = grid(8, rng);
    for (const double t : {0.4, 1.0}) {
      const auto tree = solve::TreeDistribution::make(f, {}, t, 0x1p20, never);
      REQUIRE(tree);
      const std::vector<double> ones = tree->marginals().ones;
      const qubo::Quadratic both = beside_dense(f, rng);
      const solve::Samples samples = solve::draw_samples(
          both, {.samples = 2000, .temperature = t, .threads = 2}, Rng(3), never);
      CHECK_FALSE(samples.exact);
      CHECK(samples.effective > 500.0);
      CHECK(samples.effective <= 2000.0);
      CHECK(samples.exchanges > 0.02);
      std::vector<double> means = ref::means_of(samples.states);
      means.resize(ones.size());
      CHECK(ref::worst(means, ones, samples.effective) < 4.5);
      const solve::Samples again = solve::draw_samples(
          both, {.samples = 2000, .temperature = t, .threads = 1}, Rng(3), never);
      CHECK(again.states == samples.states);
    }
  }
  TEST_CASE("where nearly all changes are accepted, variables stay independent") {
    Rng rng(4);
    const solve::Stop never;
    const qubo::Quadratic f = ref::normal_quadratic(rng, 48, 1.0);
    const int count = 400;
    const solve::Samples samples =
        solve::draw_samples(f, {.samples = count, .temperature = 1e4}, Rng(1), never);
    CHECK_FALSE(samples.exact);
    CHECK(samples.acceptance == doctest::Approx(0.5).epsilon(0.02));
    for (int i = 0; i < 48; ++i) {
      for (int k = 0; k < i; ++k) {
        int alike = 0;
        for (const auto& x : samples.states) {
          alike += x[at(i)] == x[at(k)] ? 1 : 0;
        }
        CHECK(std::abs(2.0 * alike / count - 1.0) < 5.0 / std::sqrt(count));
      }
    }
  }
  TEST_CASE("shares of numbers add up to those of their states") {
    Rng rng(12);
    const solve::Stop never;
    const int levels = 3;
    const int n = 2 * levels;
    for (int run = 0; run < 2; ++run) {
      // A random function of three numbers of two digits.
      const qubo::Quadratic g = ref::normal_quadratic(rng, levels, 1.0);
      qubo::Quadratic f(n);
      std::vector<qubo::Term> terms;
      for (int i = 0; i < n; ++i) {
        const double w = i % 2 + 1.0;
        const double square = 0.2 * (i / 2 + 1);
        f.linear[at(i)] = w * g.linear[at(i / 2)] + square * w * w;
        for (int k = i + 1; k < n; ++k) {
          terms.push_back(
              {i,
               k,
               w * (k % 2 + 1.0) *
                   (i / 2 == k / 2 ? 2.0 * square
                                   : g.terms()[at(i / 2 + k / 2 - 1)].weight)});
        }
      }
      f.add(terms);
      const auto tree = solve::marginals_of(f, {.temperature = 0.7}, rng, never);
      REQUIRE(tree.numbers.size() == levels);
      const Listed all = listed(f, 0.7);
      const qubo::Quadratic both = beside_dense(f, rng);
      const solve::Marginals chains =
          solve::marginals_of(both, {.samples = 400, .temperature = 0.7}, rng, never);
      CHECK_FALSE(chains.exact);
      REQUIRE(chains.numbers.size() == levels);
      for (std::size_t number = 0; number < tree.numbers.size(); ++number) {
        const auto& [variables, shares] = tree.numbers[number];
        REQUIRE(chains.numbers[number].variables == variables);
        std::vector<double> expected(shares.size());
        for (unsigned bits = 0; bits < 1U << n; ++bits) {
          std::size_t choice = 0;
          for (std::size_t k = 0; k < variables.size(); ++k) {
            choice |= std::size_t{bits >> variables[k] & 1U} << k;
          }
          expected[choice] += all.probabilities[bits];
        }
        for (std::size_t c = 0; c < shares.size(); ++c) {
          CHECK(shares[c] == doctest::Approx(expected[c]).epsilon(1e-9));
        }
        CHECK(ref::worst(chains.numbers[number].shares, expected, chains.effective) <
              4.5);
      }
    }
  }
}
