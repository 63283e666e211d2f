#pragma once

#include "oa/qubo/polynomial.h"

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// A variable of a program, as LP, MPS and dimod declare it.
struct Column {
  bool integer = false;
  double lower = 0.0;
  double upper = std::numeric_limits<double>::infinity();
  bool spin = false;  ///< -1 or 1
};

/// The value of a bound: solvers write 1e20 and more for infinity.
[[nodiscard]] double bound_of(double value);

/// True for inf and infinity, in any case, without a sign.
[[nodiscard]] bool is_infinity(std::string_view word);

/// Makes the columns, which monomials (with repetitions) and constraints of `p` name by
/// their numbers, its variables.  A bound that excludes 0 or 1 of a binary variable
/// becomes a constraint; a variable that bounds fix at a number becomes that number,
/// unless it is an integer and 0 or 1; and a continuous variable that only one
/// constraint has is its slack.  Integers become digits, as few as the constraints
/// allow.  Throws InputError, which begins with `where`, if a variable has other
/// values.
void take_columns(qubo::Polynomial& p,
                  std::vector<Column> columns,
                  const std::vector<std::string>& names,
                  const std::string& where);

}  // namespace oa::io
