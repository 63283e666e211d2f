#pragma once

#include "app/solve/sampling.h"
#include "app/solve/stream.h"
#include "oa/base/rng.h"
#include "oa/qubo/problem.h"

#include <stop_token>
#include <string>

namespace oa::app {

/// Solves the problems of a stream with the given options.  Threads may share a solver.
class ProblemSolver {
 public:
  /// `task` must outlive the solver.  Throws UsageError for options without effect.
  ProblemSolver(const SolveTask& task, std::stop_token token);

  /// Chooses the coefficients for problems at `where`, whose stream has `stream`.
  [[nodiscard]] Coefficients coefficients(Coefficients stream,
                                          const std::string& where) const;

  /// Solves with the random stream of the problem's index and head.
  [[nodiscard]] qubo::SolvedProblem solve(qubo::Problem problem,
                                          const std::string& where) const;

  /// True if the options ask for samples at a temperature instead of optima.
  [[nodiscard]] bool samples() const { return task_.solving.samples > 0; }
  /// Draws samples.  Throws InputError for real coefficients.
  [[nodiscard]] SampledProblem sample(qubo::Problem problem,
                                      const std::string& where) const;

 private:
  const SolveTask& task_;
  std::stop_token token_;
  Chosen chosen_;
  Rng rng_;
};

}  // namespace oa::app
