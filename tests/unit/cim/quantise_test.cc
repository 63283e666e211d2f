#include "oa/cim/quantise.h"

#include "oa_test.h"
#include "ref/exhaustive.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace oa;

namespace {

struct Problem {
  qubo::Matrix j;
  std::vector<double> h;
};

Problem attention(Rng& rng, int m) {
  const qubo::Problem p = test::random_problem(rng, m, 1, 3);
  return {qubo::Matrix(m, p.j), {p.h.begin(), p.h.end()}};
}

/// The vendor's rule as oa-cim(5) writes it down, in the order of its formulas.
std::vector<double> vendor_qubo(const Problem& p) {
  const int n = p.j.size();
  const auto at = [&](int i, int k) {
    return static_cast<std::size_t>(i * (n + 1) + k);
  };
  std::vector<double> m(static_cast<std::size_t>((n + 1) * (n + 1)));
  const auto s = [&](int i, int k) { return p.j(i, k) / 8.0; };
  double most = 0.0;
  for (int i = 0; i < n; ++i) {
    double field = 2.0 * (p.j(i, i) / 2.0 + p.h[static_cast<std::size_t>(i)]) / 8.0;
    for (int k = 0; k < n; ++k) {
      if (k != i) {
        m[at(i, k)] = -s(i, k);
        field += s(i, k);
      }
    }
    m[at(i, n)] = m[at(n, i)] = -field;
  }
  for (const double v : m) {
    most = std::max(most, std::abs(v));
  }
  for (double& v : m) {
    v = std::nearbyint(127.0 / most * v);
  }
  std::vector<double> q;
  for (int i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
      sum += m[at(i, k)];
    }
    q.push_back(-(-4.0 * sum + 2.0 * 2.0 * m[at(n, i)]));
    for (int k = i + 1; k < n; ++k) {
      q.push_back(-8.0 * m[at(i, k)]);
    }
  }
  return q;
}

/// All lowest x of x'Qx, by trying each.
std::vector<std::vector<std::uint8_t>> ground_states(const machine::TaskMatrix& q) {
  std::vector<std::vector<std::uint8_t>> best;
  double least = 0.0;
  for (unsigned bits = 0; bits < 1U << q.n; ++bits) {
    std::vector<int> ones;
    std::vector<std::uint8_t> x;
    for (int i = 0; i < q.n; ++i) {
      x.push_back(bits >> i & 1U);
      if (x.back() != 0) {
        ones.push_back(i);
      }
    }
    const double energy = q.energy(ones);
    if (best.empty() || energy < least) {
      best.clear();
      least = energy;
    }
    if (energy == least) {
      best.push_back(std::move(x));
    }
  }
  return best;
}

}  // namespace

TEST_SUITE_BEGIN("cim");

TEST_CASE("the default is the vendor's rule, cell for cell") {
  Rng rng(1);
  for (int round = 0; round < 20; ++round) {
    const Problem p = attention(rng, 2 + round);
    const machine::Spins spins = machine::spins_of(p.j, p.h);
    cim::Rule rule;
    rule.scale = cim::largest_scale(spins, rule);
    const auto block = cim::quantise(spins, rule);
    REQUIRE(block);
    const machine::TaskMatrix q = machine::task_matrix_of(*block);
    const std::vector<double> expected = vendor_qubo(p);
    REQUIRE(q.cells.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(double{q.cells[i]} == expected[i]);
    }
  }
}

TEST_CASE("auxiliary spins agree in every ground state, and reduce to one") {
  Rng rng(3);
  for (int round = 0; round < 60; ++round) {
    const Problem p = attention(rng, 3 + round % 5);
    const machine::Spins spins = machine::spins_of(p.j, p.h);
    cim::Rule rule;
    rule.auxiliaries = 2 << round % 3;
    rule.top_level =
        round % 2 == 0 ? 127 : 7;  // coarse: shares are uneven and ties many
    rule.clip = round % 4 < 2;
    rule.scale = cim::largest_scale(spins, rule) * 0.7;
    const auto block = cim::quantise(spins, rule);
    if (!block) {
      continue;
    }
    const machine::TaskMatrix q = machine::task_matrix_of(*block);
    const machine::Reduced small = machine::reduced(q, block->extra);
    const auto best = ref::exhaustive(small.j, small.h, 1).front();
    const auto states = ground_states(q);
    for (const auto& x : states) {
      CHECK(std::all_of(x.begin() + block->n, x.end(), [](auto v) { return v == 1; }));
    }
    std::vector<int> ones;
    for (int i = 0; i < q.n; ++i) {
      if (states.front()[static_cast<std::size_t>(i)] != 0) {
        ones.push_back(i);
      }
    }
    CHECK(best.energy + small.offset == q.energy(ones));
  }
}

TEST_CASE("a cut field decides its spin as the uncut field does") {
  // Couplings of at most 2 levels, a field of a hundred.
  const qubo::Matrix j(3, std::vector<double>{0, 8, -8, 8, 0, 8, -8, 8, 0});
  const std::vector<double> h{400, 1, -1};
  const machine::Spins spins = machine::spins_of(j, h);
  cim::Rule rule;
  rule.clip = true;
  CHECK(cim::largest_scale(spins, rule) > 50.0);
  rule.scale = 50.0;
  const auto block = cim::quantise(spins, rule);
  REQUIRE(block);
  const std::int16_t* row = block->row(0);
  CHECK(row[3] == -(std::abs(row[1]) + std::abs(row[2]) + 1));
  rule.clip = false;
  CHECK_FALSE(cim::quantise(spins, rule));  // the same scale needs it cut
}

TEST_CASE("the shares of a field add up to it") {
  for (const double field : {-7.0, -5.0, 5.0, 7.0}) {
    for (const int shares : {1, 2, 3}) {
      cim::Rule rule;
      rule.auxiliaries = shares;
      const auto block = cim::quantise({1, {0.0}, {field}}, rule);
      REQUIRE(block);
      int sum = 0;
      for (int a = 1; a <= shares; ++a) {
        sum += block->row(0)[a];
      }
      CHECK(sum == static_cast<int>(field));
    }
  }
}

TEST_CASE("a level above the top one is refused") {
  cim::Rule rule;
  rule.top_level = 10;
  CHECK(cim::quantise({2, {0.0, 10.0, 10.0, 0.0}, {0.0, 0.0}}, rule));
  CHECK_FALSE(cim::quantise({2, {0.0, 11.0, 11.0, 0.0}, {0.0, 0.0}}, rule));
  CHECK(cim::quantise({1, {0.0}, {-10.0}}, rule));
  CHECK_FALSE(cim::quantise({1, {0.0}, {-11.0}}, rule));
}

TEST_CASE("whole levels are taken as they are, or by the largest factor that fits") {
  const auto scale = [](double coupling, double field, int top = 127) {
    const machine::Spins spins{2, {0.0, coupling, coupling, 0.0}, {field, 0.0}};
    return cim::whole_scale(spins, top);
  };
  CHECK(scale(119, -3) == 1.0);
  CHECK(scale(-127, 127) == 1.0);
  CHECK(scale(0, 0) == 1.0);
  CHECK(scale(2, 4) == 1.0);
  CHECK(scale(0.5, 1.5) == 84.0);        // 42 and 126
  CHECK(scale(130, 260) == 63 / 130.0);  // 63 and 126
  CHECK(scale(0.1, 0.1) == 127 / 0.1);
  CHECK(scale(128, 1) == std::nullopt);
  CHECK(scale(8, 3, 7) == std::nullopt);
  CHECK(scale(0.1, 0.3) == std::nullopt);  // as doubles
  CHECK(scale(1.0, 1.0 / 3.0) == std::nullopt);
}

TEST_CASE("with a whole scale nothing is rounded") {
  Rng rng(9);
  int found = 0;
  for (int round = 0; round < 500; ++round) {
    const int size = 1 << rng.below(9);
    const auto number = [&] {
      return std::ldexp(static_cast<double>(rng.below(2 * size)) - size,
                        test::below(rng, 7) - 3);
    };
    const double coupling = number();
    const machine::Spins spins{2, {0.0, coupling, coupling, 0.0}, {number(), number()}};
    cim::Rule rule;
    const auto scale = cim::whole_scale(spins, rule.top_level);
    if (!scale) {
      continue;
    }
    ++found;
    rule.scale = *scale;
    const auto block = cim::quantise(spins, rule);
    REQUIRE(block);
    CHECK(block->row(0)[1] * spins.fields[0] == block->row(0)[2] * coupling);
    CHECK(block->row(0)[2] * spins.fields[1] == block->row(1)[2] * spins.fields[0]);
    CHECK(cim::loss_of(spins, rule, *block).couplings_lost == 0);
  }
  CHECK(found > 100);
}

TEST_CASE("a problem of zeros is quantised to zeros") {
  const qubo::Matrix j(2, std::vector<double>(4));
  const std::vector<double> h(2);
  const machine::Spins spins = machine::spins_of(j, h);
  cim::Rule rule;
  rule.scale = cim::largest_scale(spins, rule);
  CHECK(rule.scale == 1.0);
  CHECK(machine::task_matrix_of(*cim::quantise(spins, rule)).cells ==
        std::vector<float>{0, 0, 0});
}

TEST_SUITE_END();
