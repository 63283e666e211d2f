#pragma once

#include "oa/solve/program/whole_program.h"

#include <span>
#include <vector>

namespace oa::solve {

/// Returns a linear function below the objective, in units: a product of weight w < 0
/// is at least w times the mean of its variables, any other product is at least 0.
[[nodiscard]] std::vector<double> linear_below(const WholeProgram& p);

/// Returns a multiplier for each row, in units of objective per unit of row,
/// with a Lagrangian bound
///   sum_i min(0, c_i + sum_k l_k a_ki) - sum_k max(l_k low_k, l_k high_k)
/// close to its maximum: exact steps along single multipliers, and subgradient steps
/// towards `target`.  The bound is valid for any multipliers.
[[nodiscard]] std::vector<double> multipliers(const WholeProgram& p,
                                              std::span<const double> c,
                                              double target);

}  // namespace oa::solve
