#pragma once

#include <span>
#include <string>
#include <vector>

namespace oa::attention {

/// Exponentials are compared for x from -kExponentialRange to 0, where the weights of
/// softmax are above 1e-7 of the largest.
inline constexpr double kExponentialRange = 16.0;

/// What softmax attention loses by a way to compute its exponentials, on drawn data.
/// Errors are root mean squares, relative to double precision.
struct ExponentialUse {
  int tokens = 0;
  double spread = 0.0;   ///< standard deviation of the logits q.k / sqrt(d)
  double sums = 0.0;     ///< of the sums of the weights of a query
  double outputs = 0.0;  ///< of weights times values by those sums
};

/// A way to compute exp(x) for x <= 0.  What it takes is counted for one exponential
/// among many, in vectors; the product of x by a constant is free: that is a factor of
/// the queries.
struct Exponential {
  std::string method;
  int size = 0;
  int multiplications = 0;  ///< with an addition each, or without
  int others = 0;           ///< additions, shifts, roundings, comparisons
  int reads = 0;            ///< of a table
  double largest = 0.0;     ///< error relative to exp(x) in the range
  double rms = 0.0;         ///< likewise
  double absolute = 0.0;    ///< the largest difference to exp(x)
  std::vector<ExponentialUse> uses = {};
};

/// Method by method, each with the uses of all numbers of tokens and spreads:
///   kernel  2^n p(f) as the fused kernels have it, with a polynomial of degree `size`
///   log2    2^n p(f), n the whole part of the logarithm to the base 2 and p of degree
///           `size`: 1 at the nearest n, 1 + f, or 1 + 0.6602 f + 0.3398 f^2
///   table   the value in the middle of one of `size` intervals of the range
///   line    the straight line through the values at both ends of the interval
///   fixed   whole numbers of `size` bits: 11 or 26 bits of x / log(2) behind the
///           point, 14 or 30 of exp(x), a polynomial of degree 3 or 5
/// Of 16 queries and the keys and values of one head of width 16 for each number of
/// tokens, means of squares of four draws.  Sums and products with values are in double
/// precision, so what differs is the exponential and the rounding of x and exp(x).
[[nodiscard]] std::vector<Exponential> exponential_errors(
    std::span<const int> tokens, std::span<const double> spreads);

}  // namespace oa::attention
