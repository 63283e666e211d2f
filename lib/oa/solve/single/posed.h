#pragma once

#include "oa/qubo/quadratic.h"

namespace oa::solve {

/// How a function f is solved: as a minimised g of 0/1 variables with
///   f(x) = 2^scale * g(x), or -2^scale * g(x) if f is maximised,
/// up to `error`.
///
/// If f's numbers are multiples of one power of two and sum to less than 2^100 of it,
/// the usual case, `error` is 0.  Other numbers are rounded to such multiples.
struct Posed {
  qubo::Quadratic g;
  int unit = 0;        ///< g's numbers are multiples of 2^unit, below 2^(unit + 106)
  int scale = 0;       ///< not 0 if numbers are very large or small
  double error = 0.0;  ///< error of values of g
};

/// g shares f's couplings if none changes.
[[nodiscard]] Posed pose(const qubo::Quadratic& f);

}  // namespace oa::solve
