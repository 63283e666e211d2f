#include "oa/qubo/reduce.h"

#include "oa/base/error.h"
#include "oa/qubo/program.h"
#include "oa_test.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

using namespace oa;

namespace {

using test::between;

qubo::Polynomial random_polynomial(Rng& rng) {
  qubo::Polynomial p;
  p.n = between(rng, 1, 5);
  p.vartype = rng.below(2) == 0 ? qubo::Vartype::Spin : qubo::Vartype::Binary;
  p.sense = rng.below(2) == 0 ? qubo::Sense::Max : qubo::Sense::Min;
  for (int k = between(rng, 0, 5); k > 0; --k) {
    qubo::Monomial m;
    for (int i = 0; i < p.n; ++i) {
      if (rng.below(2) == 0) {
        m.variables.push_back(i);
      }
    }
    m.weight = between(rng, -10, 10) * (rng.below(2) == 0 ? 0.1 : 1.0);
    p.monomials.push_back(m);
  }
  for (int k = between(rng, 0, 2); k > 0; --k) {
    qubo::Constraint c;
    c.name = "c";
    c.relation = static_cast<qubo::Relation>(rng.below(3));
    c.right = 0.5 * between(rng, -4, 4);
    for (int i = 0; i < p.n; ++i) {
      if (rng.below(2) == 0) {
        c.terms.push_back({i, i, 0.5 * between(rng, -4, 4)});
      }
    }
    p.constraints.push_back(c);
  }
  qubo::make_whole(p, "here");
  return p;
}

double sign_of(const qubo::Polynomial& p) {
  return p.sense == qubo::Sense::Max ? -1.0 : 1.0;
}

/// The least value under all constraints; infinite if there is none.
double least(const qubo::Polynomial& p) {
  double value = std::numeric_limits<double>::infinity();
  ref::each_x(p.n, [&](const auto& x) {
    if (qubo::violated(p, x) < 0) {
      value = std::min(value, sign_of(p) * qubo::exact_value(p, x).value());
    }
  });
  return value;
}

}  // namespace

TEST_SUITE_BEGIN("qubo");

TEST_CASE("the optimum of the reduced function is that of the polynomial") {
  int solved = 0;
  int without = 0;
  test::each_fork(Rng(5), 600, [&](Rng& rng) {
    const qubo::Polynomial p = random_polynomial(rng);
    const double expected = least(p);
    const qubo::Reduced reduced = qubo::reduced(p, "here");
    const qubo::Quadratic& f = reduced.f;
    if (f.size() > 14) {
      return;
    }
    double best = std::numeric_limits<double>::infinity();
    std::vector<std::uint8_t> argument;
    ref::each_x(f.size(), [&](auto x) {
      if (const double energy = sign_of(p) * qubo::energy(f, x); energy < best) {
        best = energy;
        argument = std::move(x);
      }
    });
    argument.resize(static_cast<std::size_t>(p.n));
    if (expected == std::numeric_limits<double>::infinity()) {
      ++without;
      CHECK(qubo::violated(p, argument) >= 0);
    } else {
      ++solved;
      CHECK(best == expected);
      CHECK(qubo::violated(p, argument) < 0);
      CHECK(sign_of(p) * qubo::exact_value(p, argument).value() == expected);
    }
  });
  CHECK(solved > 200);
  CHECK(without > 20);
}

TEST_CASE("a constraint with decimal weights is scaled to whole numbers") {
  qubo::Polynomial p;
  p.n = 2;
  p.constraints = {{"c", {{0, 0, 0.1}, {1, 1, 0.2}}, qubo::Relation::AtMost, 0.3}};
  qubo::make_whole(p, "here");
  CHECK(p.constraints[0].right == 3.0);
  CHECK(p.constraints[0].terms[0].weight == 1.0);
  CHECK(p.constraints[0].terms[1].weight == 2.0);
  for (int k = -999; k <= 999; ++k) {  // 0.29 times 100 is less than 29
    p.constraints = {
        {"c", {{0, 0, k / 100.0}, {1, 1, 0.01}}, qubo::Relation::Equal, 1}};
    qubo::make_whole(p, "here");
    CHECK(p.constraints[0].terms[0].weight == k);
    CHECK(p.constraints[0].right == 100.0);
  }
}

TEST_CASE("a constraint of doubles holds within a tolerance, the same for all") {
  using enum qubo::Relation;
  Rng rng(3);
  int near = 0;
  int tolerant = 0;
  for (int k = 0; k < 300; ++k) {
    CAPTURE(k);
    qubo::Polynomial p;
    p.n = between(rng, 2, 5);
    p.vartype = rng.below(2) == 0 ? qubo::Vartype::Spin : qubo::Vartype::Binary;
    const double size = std::pow(10.0, between(rng, -300, 300));
    qubo::Constraint c{"c", {}, static_cast<qubo::Relation>(rng.below(3)), 0.0};
    double total = 0.0;
    for (int i = 0; i < p.n; ++i) {
      const double weight = rng.normal() * size;
      c.terms.push_back({i, i, weight});
      c.right += rng.below(2) == 0 ? weight : 0.0;
      total += std::abs(weight);
    }
    const double shift = std::array{0.0, 0.4e-9, -0.4e-9, 1.1e-9}[rng.below(4)] * total;
    c.right += shift;
    p.constraints = {c};
    qubo::make_whole(p, "here");
    if (p.constraints[0].tolerance == 0.0) {
      continue;  // huge doubles are integers, perhaps with a common divisor
    }
    ++tolerant;
    const qubo::ProgramRow row = qubo::row_of(p.constraints[0], p.vartype);
    ref::each_x(p.n, [&](const auto& x) {
      ExactSum above;
      above.add(-c.right);
      std::int64_t sum = 0;
      for (const qubo::Term& t : c.terms) {
        const bool one = x[static_cast<std::size_t>(t.first)] != 0;
        above.add(one ? t.weight : p.vartype == qubo::Vartype::Spin ? -t.weight : 0.0);
      }
      for (const auto& [i, weight] : row.entries) {
        sum += x[static_cast<std::size_t>(i)] != 0 ? weight : 0;
      }
      const double over = above.value() / total;
      const double missed = c.relation == AtMost    ? over
                            : c.relation == AtLeast ? -over
                                                    : std::abs(over);
      const bool holds = qubo::violated(p, x) < 0;
      near += std::abs(missed) < 2e-9 ? 1 : 0;
      CHECK(holds == (missed < 0.75e-9));
      CHECK(holds == (row.low <= sum && sum <= row.high));
    });
  }
  CHECK(near > 20);
  CHECK(tolerant > 250);
}

TEST_CASE("thirds add up to one; long integers are exact") {
  qubo::Polynomial p;
  p.n = 3;
  const double third = 1.0 / 3.0;
  const std::vector<std::uint8_t> all{1, 1, 1};
  p.constraints = {
      {"c", {{0, 0, third}, {1, 1, third}, {2, 2, third}}, qubo::Relation::Equal, 1.0}};
  qubo::make_whole(p, "here");
  CHECK(qubo::violated(p, all) < 0);
  CHECK(qubo::violated(p, std::vector<std::uint8_t>{1, 1, 0}) == 0);
  const double big = 123456789012345.0;
  p.constraints = {
      {"c", {{0, 0, big}, {1, 1, big}, {2, 2, 1.0}}, qubo::Relation::Equal, 2.0 * big}};
  qubo::make_whole(p, "here");
  CHECK(p.constraints[0].tolerance == 0.0);
  CHECK(qubo::violated(p, all) == 0);
  CHECK(qubo::violated(p, std::vector<std::uint8_t>{1, 1, 0}) < 0);
}

TEST_CASE("a range inside that of the sum has slack of its own width") {
  qubo::Polynomial p;
  p.n = 4;
  p.monomials = {{{0, 1}, 0.5}, {{2}, -1.0}, {{1, 3}, -0.25}};
  p.constraints = {{"c",
                    {{0, 0, 5.0}, {1, 1, 4.0}, {2, 2, 3.0}, {3, 3, 7.0}},
                    qubo::Relation::Equal,
                    9.0,
                    2.0}};
  const qubo::Reduced r = qubo::reduced(p, "here");
  for (unsigned given = 0; given < 16; ++given) {
    double least = std::numeric_limits<double>::infinity();
    for (unsigned k = given; k < 1U << static_cast<unsigned>(r.f.size()); k += 16) {
      least = std::min(least, qubo::energy(r.f, ref::bits_of(k, r.f.size())));
    }
    const auto x = ref::bits_of(given, 4);
    if (qubo::violated(p, x) < 0) {
      CHECK(least == qubo::exact_value(p, x).value());
    } else {
      CHECK(least >= r.penalties.front() - 1.25);
    }
  }
}

TEST_CASE("a constraint that cannot hold is not an error of the file") {
  using enum qubo::Relation;
  const std::vector<qubo::Constraint> never{
      {"above", {{0, 0, 1}, {1, 1, 1}}, AtLeast, 3},
      {"below", {{0, 0, 1}, {1, 1, -1}}, AtMost, -2},
      {"parity", {{0, 0, 2}, {1, 1, 4}}, Equal, 3},
      {"far below", {{0, 0, 1}, {1, 1, 1}}, AtMost, -1e300},
      {"far apart", {{0, 0, 1e-30}, {1, 1, 1e30}}, AtLeast, 2e30},
      {"nothing left", {{0, 0, 1}, {0, 0, -1}}, Equal, 0.5},
      {"decimals", {{0, 0, 1.0 / 3.0}, {1, 1, 1e-17}}, AtLeast, 1}};
  for (const qubo::Constraint& c : never) {
    CAPTURE(c.name);
    qubo::Polynomial p;
    p.n = 2;
    p.constraints = {c};
    qubo::make_whole(p, "here");
    CHECK(qubo::program_of(p, "here").rows[0].never());
    const qubo::Reduced r = qubo::reduced(p, "here");
    for (unsigned k = 0; k < 1U << static_cast<unsigned>(r.f.size()); ++k) {
      CHECK(qubo::energy(r.f, ref::bits_of(k, r.f.size())) >= r.penalties.front());
    }
  }
}

TEST_SUITE_END();
