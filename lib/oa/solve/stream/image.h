#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/problem.h"
#include "oa/solve/methods.h"

#include <stop_token>

namespace oa::solve {

struct ImageSettings {
  const Method& method;
  Settings solver = {};
  bool times = false;  ///< false: no clock shows in the result, all seconds are 0
  std::stop_token token = {};
};

/// Solves the problems of an image whose coefficients are binary or, by solve_levels(),
/// of several levels.  They share what its matrix takes to
/// prepare; that time, at most half of what they have together, is counted in equal
/// parts to each. Query i draws from rng.fork(i).  After the token asks for it all end
/// soon; what was stopped, by that or by the time limit, is no worse than what `greedy`
/// finds.
[[nodiscard]] qubo::SolvedProblem solve_image(qubo::Problem problem,
                                              const ImageSettings& settings,
                                              const Rng& rng);

}  // namespace oa::solve
