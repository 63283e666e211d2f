#pragma once

#include "oa/qubo/alphabet.h"
#include "oa/qubo/problem.h"

#include <span>

namespace oa::encode {

/// For each query q the problem
///   min over x of |q - x'V|^2 + lambda |x|_1 + penalty (sum x - sum)^2,
/// where coefficients take the values of an alphabet.
struct LeastSquares {
  int m = 0;                  ///< number of values
  int n = 0;                  ///< number of queries
  int d = 0;                  ///< width of values and queries
  std::span<const double> v;  ///< (m,d)
  std::span<const double> q;  ///< (n,d)
  double lambda = 0.0;        ///< for alphabets from 0 up
  int sum = 0;                ///< of binary coefficients
  double penalty = 0.0;       ///< for another sum; see known_sum.h
};

/// Encodes as a problem of levels from 0 up, or of binary coefficients if there are two
/// levels.  Outputs are x'V - q: the residual of the problem is minus the query,
/// less the contribution of the lowest values.  Energies omit constants.
/// Numbers that a float cannot hold become infinite.
[[nodiscard]] qubo::Problem encode(const LeastSquares& problem,
                                   const qubo::Alphabet& alphabet);

}  // namespace oa::encode
