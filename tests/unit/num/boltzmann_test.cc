#include "oa/num/boltzmann.h"

#include "oa/base/rng.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace oa;

namespace {

struct Problem {
  std::size_t n;
  std::vector<double> j;
  std::vector<double> h;
  double temperature;
};

Problem drawn(Rng rng, std::size_t n) {
  Problem p{.n = n,
            .j = std::vector<double>(n * n),
            .h = std::vector<double>(n),
            .temperature = 0.2 + 2.0 * rng.uniform()};
  for (std::size_t a = 0; a < n; ++a) {
    p.h[a] = rng.normal();
    for (std::size_t b = 0; b <= a; ++b) {
      p.j[a * n + b] = p.j[b * n + a] = rng.normal();
    }
  }
  return p;
}

double energy_of(const Problem& p, unsigned x) {
  double energy = 0.0;
  for (std::size_t a = 0; a < p.n; ++a) {
    for (std::size_t b = 0; b < p.n; ++b) {
      energy += (x >> a & 1U) != 0 && (x >> b & 1U) != 0 ? 0.5 * p.j[a * p.n + b] : 0.0;
    }
    energy += (x >> a & 1U) != 0 ? p.h[a] : 0.0;
  }
  return energy;
}

/// Marginals by their definition.
std::vector<double> by_definition(const Problem& p) {
  std::vector<double> energies;
  for (unsigned x = 0; x < 1U << p.n; ++x) {
    energies.push_back(energy_of(p, x));
  }
  const double lowest = std::ranges::min(energies);
  std::vector<double> ones(p.n);
  double all = 0.0;
  for (unsigned x = 0; x < energies.size(); ++x) {
    const double weight = std::exp((lowest - energies[x]) / p.temperature);
    all += weight;
    for (std::size_t k = 0; k < p.n; ++k) {
      ones[k] += (x >> k & 1U) != 0 ? weight : 0.0;
    }
  }
  for (double& p_k : ones) {
    p_k /= all;
  }
  return ones;
}

std::vector<double> marginals_of(const Problem& p) {
  std::vector<double> found(p.n);
  num::Boltzmann(p.n, p.j).marginals(p.h, p.temperature, found);
  return found;
}

}  // namespace

TEST_SUITE_BEGIN("num");

TEST_CASE("marginals are shares of the weights of all states") {
  const Rng rng(3);
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    Problem p = drawn(rng.fork(trial), 1 + trial % 11);
    if (trial % 3 == 0) {
      p.h[trial % p.n] = 1e9;  // an excluded key
    }
    if (trial % 4 == 0) {
      p.temperature = 1e-3;  // the optimum alone has a weight
    }
    const std::vector<double> found = marginals_of(p);
    const std::vector<double> expected = by_definition(p);
    for (std::size_t k = 0; k < p.n; ++k) {
      CHECK(found[k] == doctest::Approx(expected[k]).epsilon(1e-12));
      CHECK((p.h[k] < 1e9 || found[k] == 0.0));
    }
  }
}

TEST_CASE("gradients of marginals are those of differences, to 1e-6") {
  const Rng rng(5);
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    Rng random = rng.fork(trial);
    const Problem p = drawn(random.fork(1), 2 + trial % 8);
    std::vector<double> g(p.n);
    for (double& value : g) {
      value = random.normal();
    }
    std::vector<double> dh(p.n);
    std::vector<double> dj(p.n * p.n);
    num::Boltzmann(p.n, p.j).gradient(p.h, p.temperature, g, dh, dj);
    const auto along = [&](const Problem& at) {
      const std::vector<double> found = marginals_of(at);
      double sum = 0.0;
      for (std::size_t k = 0; k < p.n; ++k) {
        sum += g[k] * found[k];
      }
      return sum;
    };
    const auto slope = [&](const auto& move) {
      constexpr double kStep = 1e-3;
      const auto at = [&](double step) {
        Problem moved = p;
        move(moved, step);
        return along(moved);
      };
      // Fourth order: the error is kStep^4 times the fifth derivative.
      return (8.0 * (at(kStep) - at(-kStep)) - (at(2.0 * kStep) - at(-2.0 * kStep))) /
             (12.0 * kStep);
    };
    double size = 0.0;
    for (const double value : dh) {
      size = std::max(size, std::abs(value));
    }
    double by_temperature = 0.0;
    for (std::size_t k = 0; k < p.n; ++k) {
      const double by_h = slope([&](Problem& at, double step) { at.h[k] += step; });
      CHECK(std::abs(by_h - dh[k]) < 1e-6 * size);
      by_temperature -= p.h[k] * dh[k];
      for (std::size_t l = 0; l < p.n; ++l) {
        const double by_j = slope([&](Problem& at, double step) {
          at.j[k * p.n + l] += 0.5 * step;
          at.j[l * p.n + k] += 0.5 * step;
        });
        CHECK(std::abs(by_j - dj[k * p.n + l]) < 1e-6 * size);
        by_temperature -= p.j[k * p.n + l] * dj[k * p.n + l];
      }
    }
    // Marginals depend on J/T and h/T only.
    const double by_t =
        slope([](Problem& at, double step) { at.temperature *= std::exp(step); });
    CHECK(std::abs(by_t - by_temperature) < 1e-6 * size);
  }
}

TEST_CASE("excluded variables have no gradient") {
  const std::vector<double> j{1.0, 0.5, 0.5, 1.0};
  std::vector<double> dh(2);
  std::vector<double> dj(4);
  num::Boltzmann(2, j).gradient(
      std::vector{-1.0, 1e9}, 1.0, std::vector{1.0, 1.0}, dh, dj);
  CHECK(dh[0] < 0.0);
  CHECK(dh[1] == 0.0);
  CHECK((dj[1] == 0.0 && dj[2] == 0.0 && dj[3] == 0.0));
}

TEST_SUITE_END();
