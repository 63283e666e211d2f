#pragma once

#include "oa/base/index.h"
#include "oa/solve/portfolio/squares.h"
#include "oa/solve/recover/squares.h"
#include "ref/random_quadratic.h"
#include "unit/solve/solution_at.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace oa::solve {

/// The value of a square at x.
inline double value_of(const Square& s, const std::vector<std::uint8_t>& x) {
  std::int64_t missed = -s.right;
  for (const auto& e : s.entries) {
    missed += x[at(e.variable)] != 0 ? e.weight : 0;
  }
  return s.penalty * static_cast<double>(missed * missed);
}

/// The value of all squares and the rest at x.
inline double value_of(const Squares& all, const std::vector<std::uint8_t>& x) {
  double sum = qubo::energy(all.rest, x);
  for (const Square& s : all.squares) {
    sum += value_of(s, x);
  }
  return sum;
}

inline void add_square(qubo::Quadratic& f, const Square& s) {
  std::vector<qubo::Term> terms;
  for (const auto& a : s.entries) {
    const auto weight = static_cast<double>(a.weight);
    const double bend = weight - 2.0 * static_cast<double>(s.right);
    terms.push_back({a.variable, a.variable, s.penalty * weight * bend});
    for (const auto& b : s.entries) {
      if (a.variable < b.variable) {
        const double product = weight * static_cast<double>(b.weight);
        terms.push_back({a.variable, b.variable, 2.0 * s.penalty * product});
      }
    }
  }
  f.add(terms);
  f.add_constant(s.penalty * static_cast<double>(s.right * s.right));
}

/// The least values of x that satisfy all squares, and of all other x.
inline std::pair<double, double> least_values(const qubo::Quadratic& f,
                                              const Squares& all) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::pair least{kNone, kNone};
  ref::each_x(f.size(), [&](const auto& x) {
    const double energy = qubo::energy(f, x);
    double& own = energy == qubo::energy(all.rest, x) ? least.first : least.second;
    own = std::min(own, energy);
  });
  return least;
}

/// Checks solutions, bounds and verdicts on penalties; counts the problems.
struct CheckedProofs {
  int found = 0;
  int proved = 0;
  int sufficient = 0;

  void check(const qubo::Quadratic& f, const Squares& all, Rng& rng) {
    if (all.squares.empty()) {
      return;
    }
    ++found;
    const Solution start = solution_at_zero(f);
    qubo::Recovered recovered;
    const PartTask task{
        .f = f, .settings = {}, .known = start, .recovered = &recovered};
    const Result r = solve_squares(task, all, rng, Stop());
    const auto [holding, violating] = least_values(f, all);
    const double best = std::min(holding, violating);
    CHECK(r.best.front().energy == qubo::energy(f, r.best.front().x));
    CHECK(r.best.front().energy >= best);
    CHECK(r.bound <= best);
    if (r.status == qubo::Status::ProvedOptimal) {
      ++proved;
      CHECK(r.best.front().energy == best);
    }
    if (recovered.penalties == "sufficient") {
      ++sufficient;
      CHECK(holding < violating);
    } else if (!recovered.penalties.empty()) {
      CHECK(recovered.penalties.starts_with("too small: square "));
      CHECK(violating < holding);
    }
  }
};

}  // namespace oa::solve
