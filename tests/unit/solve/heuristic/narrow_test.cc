#include "oa/solve/heuristic/narrow.h"

#include "oa/base/index.h"
#include "oa/solve/exact/tree/tree.h"
#include "oa/solve/heuristic/rounds.h"
#include "ref/targets.h"
#include "unit/draw.h"
#include "unit/solve/random_sparse.h"
#include "unit/solve/solution_at.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace oa::solve {
namespace {

/// The spins of a torus whose couplings are -1 or 1, as 0 and 1.
qubo::Quadratic torus(int rows, int columns, Rng& rng) {
  qubo::Quadratic f(rows * columns);
  f.vartype = qubo::Vartype::Spin;
  std::vector<qubo::Term> terms;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      for (const int other :
           {(r + 1) % rows * columns + c, r * columns + (c + 1) % columns}) {
        terms.push_back({r * columns + c, other, rng.below(2) != 0 ? 1.0 : -1.0});
      }
    }
  }
  f.add(terms);
  return qubo::converted(f, qubo::Vartype::Binary).f;
}

/// The lowest energy with the variables outside of `part` as in x.
double lowest_over(const qubo::Quadratic& f,
                   std::vector<std::uint8_t> x,
                   const std::vector<int>& part) {
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t bits = 0; bits < std::size_t{1} << part.size(); ++bits) {
    for (std::size_t k = 0; k < part.size(); ++k) {
      x[at(part[k])] = static_cast<std::uint8_t>(bits >> k & 1);
    }
    lowest = std::min(lowest, qubo::energy(f, x));
  }
  return lowest;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("a narrow move finds the optimum over its part, on every instruction set") {
    const Stop never;
    Pace pace(never);
    ref::on_each_target([&] {
      test::each_fork(Rng(41), 1500, [&](Rng& rng) {
        const int n = 1 + test::below(rng, 11);
        const bool whole = rng.below(2) != 0;
        const auto f = random_sparse(rng, n, (1.0 + rng.below(6)) / n, whole);
        const auto x = test::random_x(rng, n);
        const int width = 1 + test::below(rng, 12);
        NarrowMoves moves(f);
        moves.begin(x);
        const double change = moves.move(test::below(rng, n), width, rng, pace);
        REQUIRE(!moves.part().empty());
        const double before = qubo::energy(f, x);
        const double after = qubo::energy(f, moves.x());
        const double best = lowest_over(f, x, moves.part());
        CHECK(change <= 0.0);
        const double rounding = whole ? 0.0 : 1e-5;  // moves compute in floats
        CHECK(std::abs(after - before - change) <= rounding);
        CHECK(after <= best + rounding);
        for (int i = 0; i < n; ++i) {
          if (std::ranges::find(moves.part(), i) == moves.part().end()) {
            CHECK(moves.x()[at(i)] == x[at(i)]);
          }
        }
      });
    });
  }

  TEST_CASE("a front that is wide enough takes in all that hangs together") {
    Rng rng(42);
    const Stop never;
    Pace pace(never);
    for (int t = 0; t < 30; ++t) {
      const auto f = torus(3, 4 + t % 4, rng);
      NarrowMoves moves(f);
      moves.begin(test::random_x(rng, f.size()));
      CHECK(moves.move(0, 12, rng, pace) <= 0.0);
      CHECK(std::ssize(moves.part()) == f.size());
      CHECK(moves.pairs_of_part() == f.pairs());
      const double lowest = qubo::energy(f, moves.x());
      moves.begin(test::random_x(rng, f.size()));
      (void)moves.move(1, 12, rng, pace);
      CHECK(qubo::energy(f, moves.x()) == lowest);
    }
  }

  TEST_CASE("narrow moves on a torus lose nothing on the way and leave plateaus") {
    Rng rng(43);
    const auto f = torus(30, 30, rng);
    const Stop never;
    Pace pace(never);
    NarrowMoves moves(f);
    moves.begin(test::random_x(rng, f.size()));
    double energy = qubo::energy(f, moves.x());
    int moved = 0;  // without gain
    for (int k = 0; k < 200; ++k) {
      const auto before = moves.x();
      const int first = test::below(rng, f.size());
      const double change = moves.move(first, 6, rng, pace);
      energy += change;
      CHECK(change <= 0.0);
      CHECK(qubo::energy(f, moves.x()) == energy);
      moved += change == 0.0 && moves.x() != before ? 1 : 0;
    }
    CHECK(moved > 50);
  }

  TEST_CASE("a stopped narrow move changes nothing, and so do runs that have no time") {
    Rng rng(44);
    const auto f = torus(20, 20, rng);
    const auto x = test::random_x(rng, f.size());
    const Stop over({}, 0.0);
    Pace pace(over);
    NarrowMoves moves(f);
    moves.begin(x);
    CHECK(moves.move(0, 8, rng, pace) == 0.0);
    moves.run(rng, over);
    CHECK(moves.x() == x);
    // The state of a stopped run does not disturb the next run.
    const Stop never;
    Pace on(never);
    NarrowMoves fresh(f);
    fresh.begin(x);
    Rng same = rng;
    (void)moves.move(7, 8, rng, on);
    (void)fresh.move(7, 8, same, on);
    CHECK(moves.x() == fresh.x());
    CHECK(moves.x() != x);
  }

  TEST_CASE("rounds with a time limit make narrow moves where they suit") {
    Rng rng(46);
    const auto f = torus(6, 40, rng);
    const Solution known = solution_at_zero(f);
    PartTask task{.f = f, .settings = {}, .known = known, .threads = 2};
    const auto proved = solve_tree(task, Stop());
    REQUIRE(proved);
    task.target = exact_energy(f, proved->best[0].x).two();
    const Stop late({},
                    60.0);  // enough for the slowest machine; others take less than 1 s
    Rounds rounds(task, {.merging = true}, Rng(1), late);
    rounds.anneal();
    CHECK(!late());
    const Result result = rounds.result();
    CHECK(result.best[0].energy == proved->best[0].energy);
    CHECK(result.best[0].energy == qubo::energy(f, result.best[0].x));
  }

  TEST_CASE("narrow moves suit tori, and neither trees nor random graphs") {
    Rng rng(45);
    const Stop never;
    const auto suits = [&](const qubo::Quadratic& f) {
      return suits_narrow_moves(f, test::random_x(rng, f.size()), never);
    };
    CHECK(suits(torus(30, 40, rng)));
    CHECK(suits(torus(10, 300, rng)));
    CHECK(!suits(random_sparse(rng, 2000, 5.0 / 2000, true)));
    CHECK(!suits(random_sparse(rng, 1000, 15.0 / 1000, true)));
    CHECK(!suits(torus(3, 3, rng)));  // there are quicker ways
    qubo::Quadratic tree(500);
    std::vector<qubo::Term> terms;
    for (int i = 1; i < 500; ++i) {
      terms.push_back({test::below(rng, i), i, 1.0});
    }
    tree.add(terms);
    CHECK(!suits(tree));
  }
}

}  // namespace oa::solve
