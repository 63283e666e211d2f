#include "oa/solve/exact/exact.h"

#include "prop/prop.h"
#include "ref/exhaustive.h"
#include "ref/random_problem.h"

#include <algorithm>
#include <limits>
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

}  // namespace
}  // namespace oa::test
