#pragma once

#include "oa/qubo/problem.h"

#include <stop_token>
#include <string>

namespace oa::solve {

struct RealSettings {
  double limit_s;  ///< per problem
  bool times;      ///< measure times; else all are 0
  std::stop_token token = {};
};

/// Solves the problems of an image with continuous or lasso coefficients by coordinate
/// descent in double precision (and LassoSearch).  Ends when no coefficient would move
/// by more than 1e-9, or when stopped.  Bounds are -inf.  Throws InputError, prefixed
/// with `where`, if a problem is not convex or has no minimum.
[[nodiscard]] qubo::SolvedProblem solve_real(qubo::Problem problem,
                                             const RealSettings& settings,
                                             const std::string& where);

}  // namespace oa::solve
