#pragma once

#include "oa/solve/method/solver.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace oa::solve {

/// f(x) = least + (x, 1)'G(x, 1), where the integer matrix G is positive semidefinite
/// of low rank: sums of squares of a few linear forms, as in market split problems.
struct Equations {
  /// A basis of G's rows: f(x) = least if and only if each row times (x, 1) is 0.
  std::vector<std::vector<std::int64_t>> rows;
  TwoDoubles least;
};

/// Finds the diagonal of G, which x_i^2 = x_i hides, from minors of the couplings.
/// Decides exactly whether G is semidefinite.
/// Empty if f is not of this form, or has more than 120 variables.
[[nodiscard]] std::optional<Equations> find_equations(const qubo::Quadratic& f,
                                                      const Stop& stop);

/// Searches an x with f(x) = least: enumerates vectors with entries +-1 in a lattice of
/// (2x - 1, 1) after block reduction, pruned by squared length and Hoelder's inequality
/// (Ritter 1990; Wassermann 2002).  Returns ProvedOptimal with one optimum,
/// or the best known solution.  Without a time limit, the work is limited.
[[nodiscard]] Result solve_equations(const PartTask& task,
                                     const Equations& equations,
                                     const Stop& stop);

}  // namespace oa::solve
