#pragma once

#include <span>
#include <string>
#include <vector>

namespace oa::attention {

/// Exponentials are compared for x from -kExponentialRange to 0:
/// the range of weights of softmax that exceed 1e-7 of the largest.
inline constexpr double kExponentialRange = 16.0;

/// Errors of softmax attention on random data caused by one method for exponentials:
/// root mean squares, relative to double precision.
struct ExponentialUse {
  int tokens = 0;
  double spread = 0.0;   ///< standard deviation of the logits q.k / sqrt(d)
  double sums = 0.0;     ///< error of the sum of a query's weights
  double outputs = 0.0;  ///< error of the weighted mean of values
};

/// A method to compute exp(x) for x <= 0.  Counts are operations per exponential in a
/// long vector.  Multiplying x by a constant is free, because queries can include it.
struct Exponential {
  std::string method;
  int size = 0;
  int multiplications = 0;  ///< fused or single
  int others = 0;           ///< additions, shifts, roundings, comparisons
  int reads = 0;            ///< from a table
  double largest = 0.0;     ///< largest error relative to exp(x) in the range
  double rms = 0.0;         ///< root mean square of the relative error
  double absolute = 0.0;    ///< largest absolute error
  std::vector<ExponentialUse> uses = {};
};

/// Measures the methods below, each with all numbers of tokens and spreads:
///   kernel  2^n p(f) as in the fused kernels, with a polynomial p of degree 5
///   log2    2^n p(f), n the integer part and f the fraction of the logarithm to
///           base 2, and p of degree `size`: 1 at the nearest n, 1 + f, or
///           1 + 0.6602 f + 0.3398 f^2
///   table   the value in the middle of one of `size` intervals of the range
///   line    linear interpolation between the ends of the interval
///   fixed   integers of `size` bits: 11 or 26 fractional bits of x / log(2), 14 or
///           30 of exp(x), a polynomial of degree 3 or 5
/// Each use has 16 queries and one head of width 16, and averages squares over four
/// draws.  Sums and products with values are in double precision,
/// so all errors come from the exponential and from rounding x and exp(x).
[[nodiscard]] std::vector<Exponential> exponential_errors(
    std::span<const int> tokens, std::span<const double> spreads);

}  // namespace oa::attention
