#pragma once

#include "oa/qubo/quadratic.h"

namespace oa::solve {

/// The form in which a function is solved: a g of 0/1 variables, to be minimised, with
///   f(x) = 2^scale * g(x), or -2^scale * g(x) if f is maximised,
/// up to `error`.
///
/// If the numbers of f are multiples of one power of two and their sum is below 2^100
/// of them, which is the rule, `error` is 0.  Other numbers are rounded to such
/// multiples.
struct Posed {
  qubo::Quadratic g;
  int unit = 0;        ///< numbers of g are multiples of 2^unit, below 2^(unit + 106)
  int scale = 0;       ///< not 0 if numbers are very large or very small
  double error = 0.0;  ///< of values of g
};

/// g shares the couplings of `f` if none of them changes.
[[nodiscard]] Posed pose(const qubo::Quadratic& f);

}  // namespace oa::solve
