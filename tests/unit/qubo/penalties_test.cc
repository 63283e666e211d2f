#include "oa/qubo/penalties.h"

#include "oa/qubo/reduce.h"
#include "oa_test.h"
#include "ref/random_polynomial.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

using namespace oa;

namespace {

using enum qubo::Relation;

int whole_from(Rng& rng, int low, int high) {
  return low + test::below(rng, high - low + 1);
}

/// sum of weights times the variables from `first` on, `step` apart.
qubo::Constraint row_with(std::vector<double> weights,
                          qubo::Relation relation,
                          double right,
                          std::int32_t first = 0,
                          std::int32_t step = 1) {
  qubo::Constraint c{"c", {}, relation, right};
  for (const double weight : weights) {
    c.terms.push_back({first, first, weight});
    first += step;
  }
  return c;
}

std::vector<double> ones_of(int count) {
  return std::vector<double>(static_cast<std::size_t>(count), 1.0);
}

std::vector<double> random_weights(Rng& rng, int count, int low, int high) {
  std::vector<double> all;
  while (std::ssize(all) < count) {
    all.push_back(whole_from(rng, low, high));
  }
  return all;
}

void add_some_constraints(qubo::Polynomial& p, Rng& rng) {
  const auto relation = [&] { return static_cast<qubo::Relation>(rng.below(3)); };
  switch (rng.below(7)) {
    case 0:  // knapsacks
      p.n = whole_from(rng, 3, 7);
      for (int k = whole_from(rng, 1, 2); k > 0; --k) {
        p.constraints.push_back(
            row_with(random_weights(rng, p.n, 0, 6), AtMost, whole_from(rng, 1, 7)));
      }
      break;
    case 1:  // groups with one or more of each
      p.n = 9;
      for (int k = 0; k < 3; ++k) {
        p.constraints.push_back(
            row_with(ones_of(3), Equal, whole_from(rng, 1, 2), 3 * k));
      }
      break;
    case 2: {  // assignment, of which some may remain unassigned
      const int rows = whole_from(rng, 2, 3);
      p.n = 3 * rows;
      const bool equal = rng.below(2) == 0;
      for (int k = 0; k < rows; ++k) {
        p.constraints.push_back(row_with(ones_of(3), Equal, 1.0, 3 * k));
      }
      for (int k = 0; k < 3; ++k) {
        p.constraints.push_back(
            row_with(ones_of(rows), equal ? Equal : AtMost, 1.0, k, 3));
      }
      if (rng.below(4) == 0) {  // perhaps with another constraint
        p.constraints.push_back(
            row_with(ones_of(2), relation(), 1.0, whole_from(rng, 0, p.n - 2)));
      }
      break;
    }
    case 3:  // packing and covering by pairs and more
      p.n = whole_from(rng, 4, 10);
      for (int k = whole_from(rng, 1, 8); k > 0; --k) {
        const int count = whole_from(rng, 2, 3);
        const int first = whole_from(rng, 0, p.n - count);
        p.constraints.push_back(rng.below(4) != 0
                                    ? row_with(ones_of(count), AtMost, 1.0, first)
                                    : row_with({1.0, -1.0}, relation(), 0.0, first));
      }
      break;
    case 4:  // an equality with digits of slack
      p.n = whole_from(rng, 5, 9);
      p.constraints.push_back(
          row_with(random_weights(rng, p.n - 3, 1, 7), Equal, whole_from(rng, 3, 9)));
      p.constraints.back().terms.push_back({p.n - 3, p.n - 3, 1.0});
      p.constraints.back().terms.push_back({p.n - 2, p.n - 2, 2.0});
      p.constraints.back().terms.push_back({p.n - 1, p.n - 1, 4.0});
      break;
    case 5:  // ranges
      p.n = whole_from(rng, 2, 6);
      p.constraints.push_back(
          row_with(random_weights(rng, p.n, -3, 4), Equal, whole_from(rng, 0, 5)));
      p.constraints.back().tolerance = whole_from(rng, 0, 2);
      break;
    default:  // anything
      p.n = whole_from(rng, 2, 6);
      for (int k = whole_from(rng, 1, 3); k > 0; --k) {
        p.constraints.push_back(row_with(
            random_weights(rng, p.n, -2, 3), relation(), whole_from(rng, -2, 4)));
      }
  }
}

qubo::Polynomial random_program(Rng& rng) {
  qubo::Polynomial p;
  add_some_constraints(p, rng);
  p.sense = rng.below(2) == 0 ? qubo::Sense::Max : qubo::Sense::Min;
  const double unit = rng.below(3) == 0 ? 0.1 : 1.0;
  const int low = rng.below(2) == 0 ? -9 : 0;
  for (std::int32_t i = 0; i < p.n; ++i) {
    p.monomials.push_back({{i}, unit * whole_from(rng, low, 9)});
    for (std::int32_t k = 0; k < i; ++k) {
      if (rng.below(6) == 0) {
        p.monomials.push_back({{k, i}, unit * whole_from(rng, low, 9)});
      }
    }
  }
  qubo::make_whole(p, "here");
  return p;
}

/// Minimised values of a program: the best that satisfies all constraints, and those
/// of its function.
struct PenalisedValues {
  double optimum = std::numeric_limits<double>::infinity();
  double best = std::numeric_limits<double>::infinity();
  double violated = std::numeric_limits<double>::infinity();  // the best of all such x
};

PenalisedValues penalised_values(const qubo::Polynomial& p, const qubo::Quadratic& f) {
  const double sign = p.sense == qubo::Sense::Max ? -1.0 : 1.0;
  PenalisedValues v;
  for (std::uint64_t k = 0; k < std::uint64_t{1} << f.size(); ++k) {
    auto x = ref::nth_x(k, f.size());
    const double energy = sign * qubo::energy(f, x);
    x.resize(static_cast<std::size_t>(p.n));
    if (qubo::violated(p, x) < 0) {
      v.optimum = std::min(v.optimum, sign * qubo::exact_value(p, x).value());
      v.best = std::min(v.best, energy);
    } else {
      v.violated = std::min(v.violated, energy);
    }
  }
  return v;
}

}  // namespace

TEST_SUITE_BEGIN("qubo");

TEST_CASE("with the least penalties, a violation is worse than the optimum") {
  int solved = 0;
  std::vector<double> ratios;
  test::each_fork(Rng(78), 3000, [&](Rng& rng) {
    const qubo::Polynomial p = random_program(rng);
    const qubo::Reduced least = qubo::reduced(p, "here", qubo::Penalties::Least);
    if (least.f.size() > 14) {
      return;
    }
    const PenalisedValues v = penalised_values(p, least.f);
    if (v.optimum < std::numeric_limits<double>::infinity()) {
      ++solved;
      CHECK(v.best == v.optimum);
      CHECK(v.violated > v.optimum);
    }
    const qubo::Reduced ordered = qubo::reduced(p, "here");
    for (std::size_t k = 0; k < least.penalties.size(); ++k) {
      CHECK(least.penalties[k] <= ordered.penalties[k]);
      ratios.push_back(least.penalties[k] / ordered.penalties[k]);
    }
  });
  CHECK(solved > 2000);
  std::ranges::sort(ratios);
  CHECK(ratios[ratios.size() / 2] < 0.5);
}

TEST_CASE("penalties are above the gain of the cheapest flip that helps") {
  qubo::Polynomial p;
  p.n = 3;
  p.sense = qubo::Sense::Max;
  p.monomials = {{{0}, 5.0}, {{1}, 3.0}, {{2}, 9.0}};
  const auto penalty = [&](qubo::Constraint c) {
    p.constraints = {std::move(c)};
    qubo::make_whole(p, "here");
    return qubo::reduced(p, "here", qubo::Penalties::Least).penalties.front();
  };
  CHECK(penalty(row_with(ones_of(2), AtMost, 1.0)) == 4.0);  // without x_1
  CHECK(penalty(row_with(ones_of(3), AtMost, 1.0)) == 6.0);  // 9 and 5 are one too many
  CHECK(penalty(row_with(ones_of(3), AtMost, 2.0)) == 4.0);
  CHECK(penalty(row_with(ones_of(3), Equal, 1.0)) == 6.0);
  CHECK(penalty(row_with({4.0, 3.0, 1.0}, AtMost, 4.0)) == 6.0);  // x_0 and x_2
  CHECK(penalty(row_with({2.0, 2.0, 3.0}, Equal, 5.0)) ==
        18.0);  // a flip may go too far
}

TEST_CASE("penalties of an assignment are above half of the largest cost") {
  qubo::Polynomial p;
  p.n = 9;
  for (std::int32_t i = 0; i < p.n; ++i) {
    p.monomials.push_back({{i}, 10.0 + i});
  }
  const auto penalty = [&](qubo::Relation columns) {
    p.constraints.clear();
    for (int k = 0; k < 3; ++k) {
      p.constraints.push_back(row_with(ones_of(3), Equal, 1.0, 3 * k));
      p.constraints.push_back(row_with(ones_of(3), columns, 1.0, k, 3));
    }
    return qubo::reduced(p, "here", qubo::Penalties::Least).penalties.back();
  };
  CHECK(penalty(Equal) == 10.0);
  CHECK(penalty(AtMost) == 19.0);
  p.monomials[0].weight = 0.5;
  CHECK(penalty(Equal) == 9.0625);  // 8 bits
  CHECK(penalty(AtLeast) > 100.0);
}

TEST_CASE("constraints of literals and products need no slack") {
  qubo::Polynomial p;
  p.n = 3;
  p.monomials = {{{0}, 1.0}, {{1}, -2.0}, {{2}, -3.0}};
  for (qubo::Constraint c : {row_with(ones_of(2), AtMost, 1.0),
                             row_with({1.0, -1.0}, AtMost, 0.0),
                             row_with(ones_of(2), AtLeast, 1.0),
                             row_with(ones_of(3), AtMost, 1.0),
                             row_with({3.0, 4.0, -3.0}, AtMost, 2.0),
                             row_with({2.0, 2.0, -4.0}, Equal, 1.0)}) {
    c.tolerance = c.relation == Equal ? 1.0 : 0.0;
    p.constraints = {c};
    qubo::make_whole(p, "here");
    const qubo::Reduced r = qubo::reduced(p, "here", qubo::Penalties::Least);
    CHECK(r.f.size() == 3);
    for (std::uint64_t k = 0; k < 8; ++k) {
      const auto x = ref::nth_x(k, 3);
      const double over = qubo::energy(r.f, x) - qubo::exact_value(p, x).value();
      CHECK((qubo::violated(p, x) < 0 ? over == 0.0 : over >= r.penalties.front()));
    }
  }
}

TEST_SUITE_END();
