#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/problem.h"
#include "oa/solve/method/method.h"

#include <stop_token>

namespace oa::solve {

/// Solves the binary problems of an image, which share what its matrix takes to
/// prepare; that time, at most half of what they have together, is counted in equal
/// parts to each. Query i draws from rng.fork(i).  With `times` false no clock shows in
/// the result: all seconds are 0.  After `token` asks for it all end soon; what was
/// stopped, by that or by the time limit, is no worse than what `greedy` finds.
[[nodiscard]] qubo::ImageSolution solve_image(qubo::ImageProblem problem,
                                              const Method& method,
                                              const Settings& settings,
                                              const Rng& rng,
                                              bool times,
                                              const std::stop_token& token = {});

}  // namespace oa::solve
