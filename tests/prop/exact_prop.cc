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

const Register exact("exact finds what trying everything finds", [](Rng& rng) {
  const int n = size_of(rng);
  solve::Settings settings;
  settings.top = rng.below(3) != 0 ? 1 : 1 + static_cast<int>(rng.below(20));
  const ref::RandomProblem problem = ref::random_problem(rng, n);
  const auto want = ref::exhaustive(problem.j, problem.h, settings.top);
  const solve::Result got =
      solve::Exact(problem.j, settings)
          .solve(problem.h, solve::Stop({}, std::numeric_limits<double>::infinity()));
  require(std::ranges::equal(got.best,
                             want,
                             [](const solve::Solution& a, const solve::Solution& b) {
                               return a.energy == b.energy && a.x == b.x;
                             }),
          std::string(problem.kind));
  require(got.status == qubo::Status::ProvedOptimal && got.bound == want[0].energy,
          "the proof");
});

const Register leading(
    "exact solves leading blocks as matrices of their own", [](Rng& rng) {
      const int n = size_of(rng);
      solve::Settings settings;
      settings.top = rng.below(3) != 0 ? 1 : 1 + static_cast<int>(rng.below(20));
      const ref::RandomProblem problem = ref::random_problem(rng, n);
      solve::Exact solver(problem.j, settings);
      for (int times = 0; times < 3; ++times) {
        const int size = 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(n)));
        const auto h = std::span(problem.h).first(static_cast<std::size_t>(size));
        const auto want = ref::exhaustive(problem.j.leading(size), h, settings.top);
        const solve::Result got =
            solver.solve(h, solve::Stop({}, std::numeric_limits<double>::infinity()));
        require(
            std::ranges::equal(got.best,
                               want,
                               [](const solve::Solution& a, const solve::Solution& b) {
                                 return a.energy == b.energy && a.x == b.x;
                               }),
            std::string(problem.kind));
        require(
            got.status == qubo::Status::ProvedOptimal && got.bound == want[0].energy,
            "the proof");
      }
    });

}  // namespace
}  // namespace oa::test
