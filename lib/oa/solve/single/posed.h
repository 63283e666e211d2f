#pragma once

#include "oa/qubo/quadratic.h"

namespace oa::solve {

/// The form in which a function f is solved: as a minimised g of 0/1 variables with
///   f(x) = 2^scale * g(x), or -2^scale * g(x) if f is maximised,
/// up to `error`.
///
/// Usually f's numbers are multiples of one power of 2 and sum to less than 2^100 times
/// this power; then `error` is 0.  Other numbers are rounded to such multiples.
struct Posed {
  qubo::Quadratic g;
  int unit = 0;        ///< g's numbers are multiples of 2^unit, below 2^(unit + 106)
  int scale = 0;       ///< not 0 if numbers are very large or small
  double error = 0.0;  ///< error of values of g
};

/// Poses f.  The couplings of g are those of f if none changes.
[[nodiscard]] Posed pose(const qubo::Quadratic& f);

}  // namespace oa::solve
