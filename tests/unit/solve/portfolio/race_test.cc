#include "oa/solve/portfolio/race.h"

#include "oa/base/index.h"
#include "oa/solve/heuristic/tabu.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <stop_token>
#include <vector>

using namespace oa;

namespace {

qubo::Quadratic random_function(int n, Rng& rng) {
  qubo::Quadratic f(n);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    f.linear[at(i)] = rng.normal();
    for (int k = i + 1; k < n; ++k) {
      terms.push_back({i, k, rng.normal()});
    }
  }
  f.add(terms);
  return f;
}

solve::Solution zero(const qubo::Quadratic& f) {
  return {TwoDoubles(0.0), std::vector<std::uint8_t>(f.linear.size())};
}

TwoDoubles lowest(const qubo::Quadratic& f) {
  TwoDoubles best = std::numeric_limits<double>::infinity();
  for (unsigned bits = 0; bits >> f.size() == 0; ++bits) {
    std::vector<std::uint8_t> x;
    for (int i = 0; i < f.size(); ++i) {
      x.push_back(bits >> i & 1U);
    }
    best = std::min(best, exact_energy(f, x).two());
  }
  return best;
}

constexpr double kPatience = 100.0;  // seconds; targets are reached in milliseconds

}  // namespace

TEST_CASE("a race ends at its target, with and without structure") {
  Rng rng(3);
  const qubo::Quadratic f = random_function(14, rng);
  const solve::Solution known = zero(f);
  const solve::PartTask task{
      .f = f, .settings = {}, .known = known, .target = lowest(f)};
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
  const qubo::Quadratic f = random_function(40, rng);
  const solve::Solution known = zero(f);
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
