#pragma once

#include "oa/solve/method/solver.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace oa::solve {

/// f(x) = least + (x, 1)'G(x, 1) with a positive semidefinite G of whole numbers and of
/// low rank: sums of squares of a few linear forms in all variables, as a market split
/// problem has them.
struct Equations {
  /// Rows of G that span all: f(x) = least if and only if each times (x, 1) is 0.
  std::vector<std::vector<std::int64_t>> rows;
  TwoDoubles least;
};

/// Finds the diagonal of G, which x_i^2 = x_i hides, from minors of the couplings.
/// That G is semidefinite is decided exactly.  Nothing if f is not of this form, or has
/// more than 120 variables.
[[nodiscard]] std::optional<Equations> find_equations(const qubo::Quadratic& f,
                                                      const Stop& stop);

/// Searches an x with f(x) = least: the vectors with entries of plus or minus 1 in a
/// lattice of (2x - 1, 1) are enumerated after reduction in blocks, pruned by their
/// squared length and by Hoelder's inequality (Ritter 1990; Wassermann 2002).
/// ProvedOptimal if one is found, which need not be the only one; else the best known.
/// Without a time limit, the work is limited.
[[nodiscard]] Result solve_equations(const PartTask& task,
                                     const Equations& equations,
                                     const Stop& stop);

}  // namespace oa::solve
