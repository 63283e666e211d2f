#pragma once

#include "oa/qubo/problem.h"

#include <stop_token>
#include <string>

namespace oa::solve {

struct RealSettings {
  double limit_s;  ///< per problem
  bool times;      ///< false: no clock shows in the result, all seconds are 0
  std::stop_token token = {};
};

/// Solves the problems of an image whose coefficients are continuous or those of the
/// lasso, by coordinate descent in double (and LassoSearch): until no coefficient would
/// move by more than 1e-9, or the status is Stopped.  Nothing is proved: bounds are
/// -inf.  Throws InputError, which begins with `where`, if the problems are not convex
/// or one has no minimum.
[[nodiscard]] qubo::SolvedProblem solve_real(qubo::Problem problem,
                                             const RealSettings& settings,
                                             const std::string& where);

}  // namespace oa::solve
