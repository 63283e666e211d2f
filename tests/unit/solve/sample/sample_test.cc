#include "oa/solve/sample/sample.h"

#include "oa/base/index.h"
#include "oa/solve/chain/ladder.h"
#include "oa/solve/sample/tree_distribution.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace oa;

namespace {

qubo::Quadratic random_function(int n, double density, Rng& rng) {
  qubo::Quadratic f(n);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    f.linear[at(i)] = rng.normal();
    for (int k = i + 1; k < n; ++k) {
      if (rng.uniform() < density) {
        terms.push_back({i, k, rng.normal()});
      }
    }
  }
  f.add(terms);
  return f;
}

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

struct Listed {
  std::vector<double> probabilities;  // of all states
  std::vector<double> ones;
};

Listed listed(const qubo::Quadratic& f, double t) {
  const int n = f.size();
  Listed all;
  all.ones.resize(at(n));
  std::vector<double> energies;
  std::vector<std::uint8_t> x(at(n));
  for (unsigned bits = 0; bits < 1U << n; ++bits) {
    for (int i = 0; i < n; ++i) {
      x[at(i)] = bits >> i & 1U;
    }
    energies.push_back(exact_energy(f, x).value());
  }
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

/// The largest distance of means from probabilities, in standard errors.
double worst(const std::vector<double>& means,
             const std::vector<double>& ones,
             double effective) {
  double most = 0.0;
  for (std::size_t i = 0; i < ones.size(); ++i) {
    const double error =
        std::sqrt(std::max(ones[i] * (1.0 - ones[i]), 1e-6) / effective);
    most = std::max(most, std::abs(means[i] - ones[i]) / error);
  }
  return most;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("samples of small problems have the distribution of all their states") {
    Rng rng(21);
    const solve::Stop never;
    for (int k = 0; k < 20; ++k) {
      const int n = 4 + k % 7;
      const qubo::Quadratic f = random_function(n, 0.3 + 0.035 * k, rng);
      for (const double t : {0.3, 1.0, 4.0}) {
        const Listed all = listed(f, t);
        const solve::SampleSettings settings{.samples = 2000, .temperature = t};
        const solve::Samples samples =
            solve::draw_samples(f, settings, rng.fork(5), never);
        CHECK(samples.exact);
        REQUIRE(samples.states.size() == 2000);
        CHECK(worst(solve::means_of(samples.states), all.ones, 2000.0) < 4.5);
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
      }
    }
  }
  TEST_CASE("chains agree with the exact marginals of a grid, within their errors") {
    Rng rng(8);
    const solve::Stop never;
    const qubo::Quadratic f = grid(8, rng);
    for (const double t : {0.4, 1.0}) {
      const auto tree = solve::TreeDistribution::make(f, t, 0x1p20, never);
      REQUIRE(tree);
      const std::vector<double> ones = tree->marginals();
      // The same problem beside a dense one, for which no tree is small enough.
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
      const solve::Samples samples = solve::draw_samples(
          both, {.samples = 2000, .temperature = t, .threads = 2}, Rng(3), never);
      CHECK_FALSE(samples.exact);
      CHECK(samples.effective > 500.0);
      CHECK(samples.effective <= 2000.0);
      CHECK(samples.exchanges > 0.02);
      std::vector<double> means = solve::means_of(samples.states);
      means.resize(ones.size());
      CHECK(worst(means, ones, samples.effective) < 4.5);
      const solve::Samples again = solve::draw_samples(
          both, {.samples = 2000, .temperature = t, .threads = 1}, Rng(3), never);
      CHECK(again.states == samples.states);
    }
  }
}
