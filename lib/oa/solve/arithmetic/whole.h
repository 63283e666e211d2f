#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <vector>

namespace oa::solve {

/// Whole numbers below 2^127 in magnitude.
__extension__ typedef __int128 Whole;

/// An entry of a row.
struct WholeCoupling {
  std::int32_t other = 0;
  Whole weight = 0;
};

/// A quadratic function of 0/1 variables whose numbers are multiples of 2^unit, so that
/// sums, differences and comparisons are exact.  Symmetric like qubo::Quadratic,
/// without a constant; rows are not sorted.
struct WholeFunction {
  int unit = 0;
  std::vector<Whole> linear;
  std::vector<std::vector<WholeCoupling>> rows;

  [[nodiscard]] int size() const { return static_cast<int>(linear.size()); }
};

/// weight / 2^unit, which must be whole and below 2^120.
[[nodiscard]] Whole in_units(double weight, int unit);

/// units * 2^unit; it has at most 106 digits.
[[nodiscard]] TwoDoubles in_doubles(Whole units, int unit);

/// `f` in units, without its constant; its variables must be binary.  O(n + pairs).
/// Some rows are missing if `pace` stops it.
[[nodiscard]] WholeFunction in_whole_numbers(const qubo::Quadratic& f,
                                             int unit,
                                             Pace& pace);

/// The constant of `f` in units.
[[nodiscard]] Whole constant_of(const qubo::Quadratic& f, int unit);

/// The inverse of in_whole_numbers().
[[nodiscard]] qubo::Quadratic in_doubles(const WholeFunction& f);

/// The range of the numbers of a function.
struct Digits {
  double total = 0.0;  ///< sum of magnitudes, rounded
  int top = 0;         ///< total < 2^top
  int unit = 0;        ///< all are multiples of 2^unit
};
[[nodiscard]] Digits digits_of(const qubo::Quadratic& f);

/// A step of f: values of f without its constant are multiples of it, or of slightly
/// more.
[[nodiscard]] double step_of(const qubo::Quadratic& f);

}  // namespace oa::solve
