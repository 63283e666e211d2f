#pragma once

#include "oa/qubo/quadratic.h"

namespace oa::solve {

/// A function as it is solved: one g of 0/1 variables to be minimised, with
///   f(x) = 2^scale * g(x), or -2^scale * g(x) where f is to be maximised,
/// for every x, but for `error`.
///
/// Where the numbers of f are multiples of one power of two and together below 2^100 of
/// them, which all but a few users' are, so are those of g, and `error` is 0.  Others
/// are rounded to such multiples.
struct Posed {
  qubo::Quadratic g;
  int unit = 0;        ///< numbers of g are multiples of 2^unit, below 2^(unit + 106)
  int scale = 0;       ///< not 0 where numbers are very large or very small
  double error = 0.0;  ///< of g
};

/// Where no coupling has to change, g has those of `f`, which are not copied.
[[nodiscard]] Posed pose(const qubo::Quadratic& f);

}  // namespace oa::solve
