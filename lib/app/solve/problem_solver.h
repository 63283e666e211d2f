#pragma once

#include "app/solve/sampling.h"
#include "app/solve/stream.h"
#include "oa/base/rng.h"
#include "oa/qubo/problem.h"

#include <stop_token>
#include <string>

namespace oa::app {

/// Solves the problems of a stream as the options say.  Any thread may call it.
class ProblemSolver {
 public:
  /// `task` must outlive it.  Throws UsageError on options that have no effect.
  ProblemSolver(const SolveTask& task, std::stop_token token);

  /// The coefficients to solve for, of problems at `where` that have those in `stream`.
  [[nodiscard]] Coefficients coefficients(Coefficients stream,
                                          const std::string& where) const;

  /// Draws from the random stream of the problem's index and head.
  [[nodiscard]] qubo::SolvedProblem solve(qubo::Problem problem,
                                          const std::string& where) const;

  /// True if the options ask for samples at a temperature instead of optima.
  [[nodiscard]] bool samples() const { return task_.solving.samples > 0; }
  /// Throws InputError for real coefficients.
  [[nodiscard]] SampledProblem sample(qubo::Problem problem,
                                      const std::string& where) const;

 private:
  const SolveTask& task_;
  std::stop_token token_;
  Chosen chosen_;
  Rng rng_;
};

}  // namespace oa::app
