#pragma once

#include "oa/qubo/polynomial.h"

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// A variable of a program in files of the formats LP, MPS and dimod.
struct Column {
  bool integer = false;
  double lower = 0.0;
  double upper = std::numeric_limits<double>::infinity();
  bool spin = false;  ///< -1 or 1
};

/// Returns infinity for 1e20 and more, which solvers write for infinity; else `value`.
[[nodiscard]] double bound_of(double value);

/// True for "inf" and "infinity", in any case, without a sign.
[[nodiscard]] bool is_infinity(std::string_view word);

/// Replaces columns by variables of `p`; monomials (with repetitions) and constraints
/// of `p` refer to columns by index.  A bound that excludes 0 or 1 of a binary variable
/// becomes a constraint.  A variable with equal bounds becomes a constant,
/// except an integer 0 or 1.  A continuous variable of only one constraint is a slack.
/// Integers become as few digits as the constraints allow.
/// Throws InputError, whose message begins with `where`, for other variables.
void take_columns(qubo::Polynomial& p,
                  std::vector<Column> columns,
                  const std::vector<std::string>& names,
                  const std::string& where);

}  // namespace oa::io
