#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/problem.h"
#include "oa/solve/method.h"

namespace oa::solve {

/// Solves the binary problems of an image, which share what its matrix takes to
/// prepare; that time is counted in equal parts to each.  Query i draws from
/// rng.fork(i).  With `times` false no clock shows in the result: all seconds are 0.
[[nodiscard]] qubo::ImageSolution solve_image(qubo::ImageProblem problem,
                                              const Method& method,
                                              const Settings& settings,
                                              const Rng& rng,
                                              bool times);

}  // namespace oa::solve
