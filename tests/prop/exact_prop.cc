#include "oa/solve/exact/box/exact.h"

#include "prop/prop.h"
#include "ref/exhaustive.h"
#include "ref/random_problem.h"

#include <algorithm>
#include <limits>
#include <span>
#include <string>

namespace oa::test {
namespace {

/// 8 to 22 variables, rarely more than 16: trying everything takes time.
int size_of(Rng& rng) {
  return rng.below(20) == 0 ? 17 + static_cast<int>(rng.below(6))
                            : 8 + static_cast<int>(rng.below(9));
}

solve::Settings settings_of(Rng& rng) {
  solve::Settings settings;
  settings.top = rng.below(3) != 0 ? 1 : 1 + static_cast<int>(rng.below(20));
  return settings;
}

/// Compares the optima of the leading block with as many variables as h.
void check(solve::Exact& solver,
           const ref::RandomProblem& problem,
           std::span<const double> h,
           int top) {
  const auto want =
      ref::exhaustive(problem.j.leading(static_cast<int>(std::ssize(h))), h, top);
  const solve::Result got =
      solver.solve(h, solve::Stop({}, std::numeric_limits<double>::infinity()));
  require(std::ranges::equal(got.best,
                             want,
                             [](const solve::Solution& a, const solve::Solution& b) {
                               return a.energy == b.energy && a.x == b.x;
                             }),
          std::string(problem.kind));
  require(got.status == qubo::Status::ProvedOptimal && got.bound == want[0].energy,
          "the proof");
}

const Register exact("exact finds what trying everything finds", [](Rng& rng) {
  const int n = size_of(rng);
  const solve::Settings settings = settings_of(rng);
  const ref::RandomProblem problem = ref::random_problem(rng, n);
  solve::Exact solver(problem.j, settings);
  check(solver, problem, problem.h, settings.top);
});

const Register leading(
    "exact solves leading blocks as matrices of their own", [](Rng& rng) {
      const int n = size_of(rng);
      const solve::Settings settings = settings_of(rng);
      const ref::RandomProblem problem = ref::random_problem(rng, n);
      solve::Exact solver(problem.j, settings);
      for (int times = 0; times < 3; ++times) {
        const std::size_t size = 1 + rng.below(static_cast<std::uint32_t>(n));
        check(solver, problem, std::span(problem.h).first(size), settings.top);
      }
    });

}  // namespace
}  // namespace oa::test
