#include "oa/solve/heuristic/rounds.h"

#include "ref/random_quadratic.h"
#include "unit/draw.h"
#include "unit/solve/solution_at.h"

#include <doctest/doctest.h>

#include <vector>

namespace oa::solve {
namespace {

/// A grid of spins with couplings of either sign and any size, as 0 and 1.
qubo::Quadratic grid(int side, Rng rng) {
  qubo::Quadratic f(side * side);
  f.vartype = qubo::Vartype::Spin;
  std::vector<qubo::Term> terms;
  for (int i = 0; i < f.size(); ++i) {
    const int right = i % side + 1 < side ? i + 1 : i + 1 - side;
    terms.push_back({i, right, rng.normal()});
    terms.push_back({i, (i + side) % f.size(), rng.normal()});
  }
  f.add(terms);
  return qubo::converted(f, qubo::Vartype::Binary).f;
}

/// To be minimised over 0 and 1.
qubo::Quadratic problem(int n) {
  Rng rng(89);
  qubo::Quadratic f(n);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    f.linear[static_cast<std::size_t>(i)] = test::below(rng, 9) - 4;
    for (int k = 0; k < i; ++k) {
      terms.push_back({k, i, static_cast<double>(rng.below(9)) - 4.0});
    }
  }
  f.add(terms);
  return f;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("rounds start from known solutions, and name their method") {
    const auto f = problem(14);
    const Solution known = solution_at_zero(f);
    const PartTask task{.f = f, .settings = {}, .known = known};
    const Stop never;
    Rounds rounds(task, {}, Rng(1), never);
    CHECK(rounds.best().x == known.x);
    CHECK(rounds.method() == "greedy");
    rounds.anneal_shortly();
    CHECK(rounds.best().value() < known.value());
    CHECK(rounds.method() == "sa");
    CHECK(rounds.result().best[0].energy == ref::best_value(f));
  }

  TEST_CASE("annealing in rounds gives the same with any number of threads") {
    const auto f = problem(60);
    const Solution known = solution_at_zero(f);
    const Stop never;
    for (const Rounds::Options& options : {Rounds::Options{},
                                           Rounds::Options{.tempering = true},
                                           Rounds::Options{.merging = true}}) {
      CAPTURE(options.tempering);
      CAPTURE(options.merging);
      std::vector<Result> results;
      for (const int threads : {1, 4}) {
        const PartTask task{.f = f,
                            .settings = {.top = 3, .reads = 40, .sweeps = 30},
                            .known = known,
                            .threads = threads};
        Rounds rounds(task, options, Rng(2), never);
        rounds.anneal();
        results.push_back(rounds.result());
      }
      REQUIRE(results[0].best.size() == results[1].best.size());
      for (std::size_t k = 0; k < results[0].best.size(); ++k) {
        CHECK(results[0].best[k].x == results[1].best[k].x);
        CHECK(results[0].best[k].energy == qubo::energy(f, results[0].best[k].x));
      }
    }
  }

  TEST_CASE("merging variables on which reads agree finds better solutions") {
    int better = 0;
    test::each_fork(Rng(9), 8, [&](Rng& rng) {
      const auto f = grid(18, rng);
      const Solution known = solution_at_zero(f);
      const PartTask task{
          .f = f, .settings = {.reads = 16, .sweeps = 30}, .known = known};
      const Stop never;
      Rounds plain(task, {}, rng, never);
      Rounds merging(task, {.merging = true}, rng, never);
      plain.anneal();
      merging.anneal();
      CHECK(merging.best().value() <= plain.best().value());
      better += merging.best().value() < plain.best().value() ? 1 : 0;
    });
    CHECK(better > 4);
  }

  TEST_CASE("cycles of a dense problem find its minimum within their time") {
    const auto f = problem(18);
    REQUIRE(f.couplings().dense());
    const Solution known = solution_at_zero(f);
    PartTask task{.f = f, .settings = {}, .known = known};
    const Stop soon({}, 0.1);
    Rounds rounds(task, {.merging = true}, Rng(4), soon);
    rounds.anneal();
    CHECK(soon());
    CHECK(rounds.result().status == qubo::Status::Stopped);
    task.target = TwoDoubles(ref::best_value(f));
    const Stop late({}, 60.0);  // other rounds reach the target in milliseconds
    Rounds patient(task, {.merging = true}, Rng(4), late);
    patient.anneal();
    CHECK(!late());
    CHECK(patient.best().energy == ref::best_value(f));
  }

  TEST_CASE("a target ends rounds, and each better x is reported once") {
    const auto f = problem(40);
    const Solution known = solution_at_zero(f);
    std::vector<double> told;
    PartTask task{.f = f, .settings = {}, .known = known};
    task.target = known.energy - 1.0;
    task.improved = [&](std::span<const std::uint8_t> x) {
      told.push_back(qubo::energy(f, x));
    };
    const Stop never;
    Rounds rounds(task, {}, Rng(3), never);
    CHECK(!rounds.done());
    rounds.anneal();
    CHECK(rounds.done());
    CHECK(rounds.best().energy <= known.energy - 1.0);
    REQUIRE(told.size() > 1);
    for (std::size_t k = 1; k < told.size(); ++k) {
      CHECK(told[k] < told[k - 1]);
    }
    CHECK(told.back() == rounds.best().energy);
  }
}

}  // namespace oa::solve
