#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/problem.h"
#include "oa/solve/methods.h"

#include <stop_token>

namespace oa::solve {

struct ImageSettings {
  const Method& method;
  Settings solver = {};
  bool times = false;  ///< measure times; else all are 0
  std::stop_token token = {};
};

/// Solves the problems of an image with binary coefficients or, by solve_levels(),
/// with several levels.  All queries share the preparation of the matrix,
/// which takes at most half of the total limit and is divided equally among them.
/// Query i draws from rng.fork(i).  A stop request ends all queries soon.
/// A stopped problem is no worse than the solution of greedy.
[[nodiscard]] qubo::SolvedProblem solve_image(qubo::Problem problem,
                                              const ImageSettings& settings,
                                              const Rng& rng);

}  // namespace oa::solve
