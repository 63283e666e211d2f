#include "app/solve/problem_solver.h"

#include "oa/base/error.h"
#include "oa/solve/stream/image.h"
#include "oa/solve/stream/real.h"

#include <cstdint>
#include <utility>

namespace oa::app {

ProblemSolver::ProblemSolver(const SolveTask& task, std::stop_token token)
    : task_(task),
      token_(std::move(token)),
      chosen_(choose_solver(task.solving)),
      rng_(task.common.seed) {}

Coefficients ProblemSolver::coefficients(Coefficients stream,
                                         const std::string& where) const {
  return choose_coefficients(task_.solving, chosen_, stream, where);
}

qubo::SolvedProblem ProblemSolver::solve(qubo::Problem problem,
                                         const std::string& where) const {
  const bool times = !task_.no_times;
  if (problem.coefficients != Coefficients::Binary &&
      problem.coefficients != Coefficients::Levels) {
    return solve::solve_real(
        std::move(problem),
        {.limit_s = chosen_.settings.time_limit_s, .times = times, .token = token_},
        where);
  }
  Rng rng = rng_.fork(static_cast<std::uint64_t>(problem.index));
  if (problem.place.heads > 1) {
    rng = rng.fork(static_cast<std::uint64_t>(problem.place.head));
  }
  return solve::solve_image(std::move(problem),
                            {.method = chosen_.method,
                             .solver = chosen_.settings,
                             .times = times,
                             .token = token_},
                            rng);
}

SampledProblem ProblemSolver::sample(qubo::Problem problem,
                                     const std::string& where) const {
  if (problem.coefficients != Coefficients::Binary &&
      problem.coefficients != Coefficients::Levels) {
    throw InputError(where + ": " + field_text(problem.coefficients) +
                     " coefficients (samples need binary ones or levels)");
  }
  return sample_frame(std::move(problem), task_, token_);
}

}  // namespace oa::app
