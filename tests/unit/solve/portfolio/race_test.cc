#include "oa/solve/portfolio/race.h"

#include "oa/solve/heuristic/tabu.h"
#include "ref/random_quadratic.h"
#include "unit/solve/solution_at.h"

#include <doctest/doctest.h>

#include <stop_token>

using namespace oa;

namespace {

constexpr double kPatience = 100.0;  // seconds; targets are reached in milliseconds

}  // namespace

TEST_CASE("a race ends at its target, with and without structure") {
  Rng rng(3);
  const qubo::Quadratic f = ref::normal_quadratic(rng, 14, 1.0);
  const solve::Solution known = solve::solution_at_zero(f);
  const solve::PartTask task{.f = f,
                             .settings = {},
                             .known = known,
                             .target = exact_energy(f, ref::smallest_optimum(f)).two()};
  for (const solve::Structure& structure :
       {solve::Structure{}, solve::Structure{.numbers = {}, .groups = {{{0, 1, 2}}}}}) {
    const solve::Stop stop({}, kPatience);
    solve::Rounds rounds(task, {.merging = true}, Rng(1), stop);
    solve::Race(task, structure, rounds, Rng(2)).run(stop);
    CHECK(rounds.best().value() <= task.target);
    CHECK(exact_energy(f, rounds.best().x).two() == rounds.best().value());
  }
}

TEST_CASE("a tabu search that goes on never becomes worse, and has exact energies") {
  Rng rng(4);
  const qubo::Quadratic f = ref::normal_quadratic(rng, 40, 1.0);
  const solve::Solution known = solve::solution_at_zero(f);
  const solve::PartTask task{.f = f, .settings = {}, .known = known};
  std::stop_source source;
  source.request_stop();
  const solve::Stop stopped(source.get_token(), kPatience);
  solve::TabuSearch search(task, {}, Rng(5));
  const solve::Solution first = search.run(stopped);
  const solve::Solution second = search.run(solve::Stop({}, 0.001));
  CHECK(second.value() <= first.value());
  CHECK(exact_energy(f, second.x).two() == second.value());
}
