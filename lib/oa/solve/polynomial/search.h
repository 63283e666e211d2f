#pragma once

#include "oa/solve/polynomial/task.h"

namespace oa::solve {

/// Simulated annealing with independent reads.
[[nodiscard]] PolynomialSolver anneal_polynomial;

/// Replica exchange; a read is a set of 16 replicas.
[[nodiscard]] PolynomialSolver temper_polynomial;

/// Tabu search from random x, in runs of different lengths.
[[nodiscard]] PolynomialSolver tabu_polynomial;

/// Annealing and tabu search, alternating.
[[nodiscard]] PolynomialSolver search_polynomial;

}  // namespace oa::solve
