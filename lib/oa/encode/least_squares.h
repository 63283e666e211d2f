#pragma once

#include "oa/qubo/alphabet.h"
#include "oa/qubo/problem.h"

#include <span>

namespace oa::encode {

/// Problems, one for each query q:
///   min over x of |q - x'V|^2 + lambda |x|_1,
/// where coefficients x_i are levels of an alphabet.
struct LeastSquares {
  int m = 0;                  ///< number of values
  int n = 0;                  ///< number of queries
  int d = 0;                  ///< width of values and queries
  std::span<const double> v;  ///< (m,d)
  std::span<const double> q;  ///< (n,d)
  double lambda = 0.0;        ///< other than 0 only if the lowest level is 0
};

/// Makes a problem of levels from 0 up; of binary coefficients for an alphabet of two.
/// Its output is x'V - q: its residual is the contribution of the lowest levels minus
/// q.  Numbers that a float cannot hold become infinite.
[[nodiscard]] qubo::Problem encode(const LeastSquares& problem,
                                   const qubo::Alphabet& alphabet);

}  // namespace oa::encode
