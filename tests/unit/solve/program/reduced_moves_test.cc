#include "oa/solve/program/reduced_moves.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/solve/program/chains.h"
#include "oa/solve/program/whole_program.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace oa {
namespace {

constexpr int kNumbers = 8;
constexpr std::array<double, 4> kSigns{1.0, 1.0, -1.0, -1.0};  // digits of a number
constexpr int kDigits = kNumbers * static_cast<int>(kSigns.size());

/// Couplings of numbers, in pairs of nearly equal ones: a difference costs little.
std::vector<std::vector<double>> paired(Rng& rng) {
  constexpr int kFactors = 6;
  std::vector<std::array<double, kFactors>> vectors(kNumbers);
  for (int a = 0; a < kNumbers; ++a) {
    for (double& v : vectors[at(a)]) {
      v = static_cast<double>(rng.below(41)) - 20.0;
    }
    if (a % 2 == 1) {
      vectors[at(a)] = vectors[at(a - 1)];
      vectors[at(a)][0] += 1.0;
    }
  }
  std::vector<std::vector<double>> g(kNumbers, std::vector<double>(kNumbers));
  for (int a = 0; a < kNumbers; ++a) {
    for (int b = 0; b < kNumbers; ++b) {
      for (int k = 0; k < kFactors; ++k) {
        g[at(a)][at(b)] += vectors[at(a)][at(k)] * vectors[at(b)][at(k)];
      }
    }
  }
  return g;
}

/// The function 1/2 u'Gu - gains of u, where u are sums of signed digits.
qubo::Quadratic function(const std::vector<std::vector<double>>& g, Rng& rng) {
  qubo::Quadratic f(kDigits);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < kDigits; ++i) {
    const int a = i / 4;
    f.linear[at(i)] = 0.5 * g[at(a)][at(a)] - 3.0 * rng.below(20) * kSigns[at(i % 4)];
    for (int k = 0; k < i; ++k) {
      terms.push_back(
          {k, i, kSigns[at(i % 4)] * kSigns[at(k % 4)] * g[at(a)][at(k / 4)]});
    }
  }
  f.add(terms);
  return f;
}

std::vector<qubo::ProgramRow> rows() {
  qubo::ProgramRow count;
  qubo::ProgramRow sum;
  for (std::int32_t i = 0; i < kDigits; ++i) {
    count.entries.push_back({i, 1});
    sum.entries.push_back({i, kSigns[at(i % 4)] > 0.0 ? 1 : -1});
  }
  count.most = kDigits;
  count.high = 12;
  sum.least = -kDigits / 2;
  sum.most = kDigits / 2;
  sum.low = -2;
  sum.high = 2;
  return {count, sum};
}

}  // namespace

TEST_CASE("reduced moves are cheap combinations of numbers") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    const auto g = paired(rng);
    const qubo::Quadratic f = function(g, rng);
    std::vector<solve::Bundles::Row> couplings(kDigits);
    for (int i = 0; i < kDigits; ++i) {
      f.row(i).each([&](std::int32_t k, double weight) {
        couplings[at(i)].push_back({k, weight});
      });
    }
    const solve::Stop never;
    solve::Pace pace(never);
    const solve::Bundles bundles(
        couplings, [](int, int) { return true; }, pace);
    REQUIRE(bundles.count() == kNumbers);
    std::vector<std::vector<std::int32_t>> all(1);
    double alone = 0.0;  // mean cost of a change of one number
    for (std::int32_t b = 0; b < kNumbers; ++b) {
      all[0].push_back(b);
      alone += 0.5 * g[at(b)][at(b)] / kNumbers;
    }
    const auto sets = solve::reduced_moves(bundles, all, never);
    REQUIRE(sets.size() == 1);
    CHECK(sets[0].moves.size() == kNumbers);
    CHECK(sets[0].cost < 0.8 * alone);
    int differences = 0;
    for (const solve::NumberMove& move : sets[0].moves) {
      int sum = 0;
      for (const solve::NumberMove::Change& change : move.changes) {
        sum += change.by * static_cast<int>(bundles.sign(4 * change.bundle));
      }
      differences += move.changes.size() == 2 && sum == 0 ? 1 : 0;
    }
    CHECK(differences >= 3);  // The test planted four pairs of numbers.
  }
}

TEST_CASE("a search by reduced moves keeps all rows and never ends higher") {
  int improved = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    const qubo::Quadratic f = function(paired(rng), rng);
    const auto all = rows();
    const solve::Stop never;
    const solve::Chains chains(f, all, never);
    REQUIRE(chains.has_reduced());
    std::vector<std::uint8_t> x(kDigits);
    double energy = 0.0;
    for (int k = 0; k < 3; ++k) {
      x = chains.run_reduced(x, {.heat = 0.4, .sweeps = 200}, Rng(seed), never);
      CHECK(solve::feasible(all, x));
      CHECK(qubo::energy(f, x) <= energy);
      energy = qubo::energy(f, x);
    }
    improved += energy < 0.0 ? 1 : 0;
  }
  CHECK(improved >= 15);
}

TEST_CASE("a search without variables returns its start") {
  const solve::Chains chains(qubo::Quadratic(0), {}, solve::Stop());
  CHECK(!chains.has_reduced());
  CHECK(chains.run({}, {}, Rng(1), solve::Stop()).empty());
  CHECK(chains.run_reduced({}, {}, Rng(1), solve::Stop()).empty());
}

}  // namespace oa
