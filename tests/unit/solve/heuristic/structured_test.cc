#include "oa/solve/heuristic/structured.h"

#include "oa/base/index.h"
#include "oa/solve/heuristic/heuristics.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"
#include "unit/solve/solution_at.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace oa::solve {
namespace {

/// A quadratic assignment of `side` places as a problem with penalties; variable
/// side * i + p is 1 if thing i is at place p.
struct Assignment {
  qubo::Quadratic f;
  double best = 0.0;
};

Assignment assignment(int side, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::vector<int>> flow(at(side), std::vector<int>(at(side)));
  auto distance = flow;
  for (int i = 0; i < side; ++i) {
    for (int k = 0; k < i; ++k) {
      flow[at(i)][at(k)] = flow[at(k)][at(i)] = test::below(rng, 10);
      distance[at(i)][at(k)] = distance[at(k)][at(i)] = test::below(rng, 10);
    }
  }
  const double penalty = 80.0 * side;
  Assignment all{qubo::Quadratic(side * side)};
  std::vector<qubo::Term> terms;
  for (int a = 0; a < side * side; ++a) {
    all.f.linear[at(a)] = -2.0 * penalty;
    for (int b = a + 1; b < side * side; ++b) {
      const int i = a / side;
      const int k = b / side;
      const bool apart = i != k && a % side != b % side;
      const int cost = 2 * flow[at(i)][at(k)] * distance[at(a % side)][at(b % side)];
      terms.push_back({a, b, apart ? cost : 2.0 * penalty});
    }
  }
  all.f.add(terms);
  std::vector<int> place(at(side));
  std::iota(place.begin(), place.end(), 0);
  do {
    std::vector<std::uint8_t> x(all.f.linear.size());
    for (int i = 0; i < side; ++i) {
      x[at(side * i + place[at(i)])] = 1;
    }
    all.best = std::min(all.best, energy(all.f, x));
  } while (std::ranges::next_permutation(place).found);
  return all;
}

/// The most valuable of some things up to a weight, with a slack in powers of two.
qubo::Quadratic knapsack(int things, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> weights;
  std::vector<double> values;
  for (int i = 0; i < things; ++i) {
    weights.push_back(10.0 + rng.below(20));
    values.push_back(weights.back() + rng.below(20));
  }
  const double limit = 1.0 + rng.below(4) + 12.0 * things;
  for (double digit = 1.0; digit <= 16.0; digit *= 2.0) {
    weights.push_back(digit);
    values.push_back(0.0);
  }
  const auto n = static_cast<int>(weights.size());
  const double penalty = 10.0;
  qubo::Quadratic f(n);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    const double weight = weights[at(i)];
    f.linear[at(i)] = penalty * weight * (weight - 2.0 * limit) - values[at(i)];
    for (int k = i + 1; k < n; ++k) {
      terms.push_back({i, k, 2.0 * penalty * weight * weights[at(k)]});
    }
  }
  f.add(terms);
  return f;
}

Result solved(PartSolver* solver, const qubo::Quadratic& f, int threads) {
  const Solution known = solution_at_zero(f);
  Settings settings;
  settings.reads = 8;
  settings.sweeps = 300;
  const Stop never;
  return solver({.f = f, .settings = settings, .known = known, .threads = threads},
                Rng(3),
                never);
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("assignments and knapsacks are solved by each method with structure") {
    const Assignment places = assignment(7, 5);
    const qubo::Quadratic sack = knapsack(11, 2);
    REQUIRE(find_structure(places.f, {}).groups.size() == 14);
    const double most = ref::best_value(sack);
    for (PartSolver* solver : {solve_annealing, solve_tempering, solve_tabu}) {
      CHECK(solved(solver, places.f, 1).best[0].energy == places.best);
      CHECK(solved(solver, sack, 1).best[0].energy == most);
    }
  }

  TEST_CASE("structured searches give the same with any number of threads") {
    const Assignment places = assignment(8, 1);
    for (PartSolver* solver : {solve_annealing, solve_tempering, solve_tabu}) {
      const Result one = solved(solver, places.f, 1);
      const Result two = solved(solver, places.f, 2);
      CHECK(one.best[0].x == two.best[0].x);
      CHECK(one.best[0].energy == energy(places.f, one.best[0].x));
    }
  }

  TEST_CASE("reads of flips stay where few variables belong to the structure") {
    CHECK(suits_structured_reads({{{{0, 1}, {1.0, 2.0}}}, {{{2, 3, 4}}}}, 9));
    CHECK_FALSE(suits_structured_reads({{{{0, 1}, {1.0, 2.0}}}, {}}, 4));
    CHECK_FALSE(suits_structured_reads({}, 0));
  }

  TEST_CASE("a polished state is never worse") {
    const Assignment places = assignment(6, 2);
    const Structure structure = find_structure(places.f, {});
    StructuredPolish polish(places.f, structure, Rng(4));
    Rng rng(8);
    for (int k = 0; k < 20; ++k) {
      std::vector<std::uint8_t> x(places.f.linear.size());
      std::ranges::generate(x, [&] { return static_cast<std::uint8_t>(rng.below(2)); });
      const double before = energy(places.f, x);
      polish(x, 100'000, Stop{});
      CHECK(energy(places.f, x) <= before);
    }
  }
}

}  // namespace oa::solve
