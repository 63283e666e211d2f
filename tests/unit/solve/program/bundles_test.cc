#include "oa/solve/program/bundles.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/solve/program/chains.h"
#include "oa/solve/program/whole_program.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace oa {
namespace {

/// Couplings of digits of whole numbers, of either sign, and a few others.
qubo::Quadratic digits(Rng rng, int numbers, int each, int others) {
  const auto small = [&] { return static_cast<double>(rng.below(9)) - 4.0; };
  const int n = numbers * each;
  qubo::Quadratic f(n);
  std::vector<double> sign;
  for (int i = 0; i < n; ++i) {
    sign.push_back(rng.below(2) == 0 ? 1.0 : -1.0);
    f.linear[at(i)] = small();
  }
  std::vector<qubo::Term> terms;
  for (int a = 0; a < numbers; ++a) {
    for (int b = 0; b <= a; ++b) {
      const double weight = a == b ? 5.0 : small();
      for (int i = a * each; i < (a + 1) * each; ++i) {
        for (int k = b * each; k < (b + 1) * each && k < i; ++k) {
          terms.push_back({k, i, sign[at(i)] * sign[at(k)] * weight});
        }
      }
    }
  }
  for (int k = 0; k < others; ++k) {
    const auto i = test::below(rng, n);
    terms.push_back({i, (i + 1) % n, 0.5});
  }
  f.add(terms);
  return f;
}

std::vector<solve::Bundles::Row> rows_of(const qubo::Quadratic& f) {
  std::vector<solve::Bundles::Row> rows(at(f.size()));
  for (int i = 0; i < f.size(); ++i) {
    f.row(i).each([&](std::int32_t k, double weight) {
      rows[at(i)].push_back({k, weight});
    });
  }
  return rows;
}

solve::Bundles bundles_of(const std::vector<solve::Bundles::Row>& rows, bool join) {
  const solve::Stop never;
  solve::Pace pace(never);
  return {rows, [&](int, int) { return join; }, pace};
}

}  // namespace

TEST_CASE("couplings of bundles and their rest are the couplings of variables") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const auto others = static_cast<int>(seed % 4);
    const qubo::Quadratic f = digits(Rng(seed), 12, 3, others);
    const auto rows = rows_of(f);
    const solve::Bundles bundles = bundles_of(rows, true);
    CHECK(bundles.count() <= 12 + 2 * others);
    for (int i = 0; i < f.size(); ++i) {
      std::vector<double> left(at(f.size()));
      for (const qubo::Coupling& c : rows[at(i)]) {
        left[at(c.other)] = c.weight;
      }
      for (const qubo::Coupling& c : bundles.row(bundles.of(i))) {
        for (const std::int32_t k : bundles.members(c.other)) {
          left[at(k)] -= bundles.sign(i) * bundles.sign(k) * c.weight;
        }
      }
      for (const qubo::Coupling& c : bundles.rest(i)) {
        left[at(c.other)] -= c.weight;
      }
      for (const double weight : left) {
        CHECK(weight == 0.0);
      }
    }
  }
}

TEST_CASE("variables that may not join are bundles of their own") {
  const qubo::Quadratic f = digits(Rng(3), 8, 2, 0);
  const solve::Bundles bundles = bundles_of(rows_of(f), false);
  CHECK(bundles.count() == f.size());
}

TEST_CASE("chains over digits find the optimum under a row") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const qubo::Quadratic f = digits(Rng(seed), 6, 2, 2);
    qubo::ProgramRow row{.entries = {}, .least = 0, .most = 12, .low = 2, .high = 5};
    for (int i = 0; i < f.size(); ++i) {
      row.entries.push_back({i, 1});
    }
    const std::vector<qubo::ProgramRow> rows{row};
    double best = HUGE_VAL;
    for (std::uint32_t bits = 0; bits < (1U << 12U); ++bits) {
      std::vector<std::uint8_t> x;
      int ones = 0;
      for (int i = 0; i < 12; ++i) {
        x.push_back((bits >> static_cast<unsigned>(i)) & 1U);
        ones += x.back();
      }
      best = ones >= 2 && ones <= 5 ? std::min(best, energy(f, x)) : best;
    }
    std::vector<std::uint8_t> start(12);
    start[0] = start[1] = 1;
    const auto found =
        solve::Chains(f, rows, {})
            .run(start, {.length = 4, .heat = 2.0, .sweeps = 2000}, Rng(seed), {});
    CHECK(solve::feasible(rows, found));
    CHECK(energy(f, found) == doctest::Approx(best));
  }
}

}  // namespace oa
