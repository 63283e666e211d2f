#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Integers below 2^127 in magnitude.
__extension__ typedef __int128 Whole;

/// The weight of a pair in a row of WholeFunction.
struct WholeCoupling {
  std::int32_t other = 0;
  Whole weight = 0;
};

/// A quadratic function of 0/1 variables in integer multiples of 2^unit, so that sums,
/// differences and comparisons are exact.
/// Symmetric as qubo::Quadratic is, but without a constant and with unsorted rows.
struct WholeFunction {
  int unit = 0;
  std::vector<Whole> linear;
  std::vector<std::vector<WholeCoupling>> rows;

  [[nodiscard]] int size() const { return static_cast<int>(linear.size()); }
};

/// Returns weight / 2^unit, which must be whole and below 2^120.
[[nodiscard]] Whole in_units(double weight, int unit);

/// Returns units * 2^unit, which must have at most 106 bits.
[[nodiscard]] TwoDoubles in_doubles(Whole units, int unit);

/// Converts `f`, whose variables must be binary, without its constant.  O(n + pairs).
/// If `pace` stops the conversion, rows are missing.
[[nodiscard]] WholeFunction in_whole_numbers(const qubo::Quadratic& f,
                                             int unit,
                                             Pace& pace);

/// Returns the function of `variables` alone.  `place` is scratch memory, -1 for each
/// variable of f.
[[nodiscard]] WholeFunction restricted(const WholeFunction& f,
                                       std::span<const int> variables,
                                       std::vector<std::int32_t>& place);

/// Returns the constant of `f` in multiples of 2^unit.
[[nodiscard]] Whole constant_of(const qubo::Quadratic& f, int unit);

/// The inverse of in_whole_numbers().
[[nodiscard]] qubo::Quadratic in_doubles(const WholeFunction& f);

/// The range of the coefficients of a function.
struct Digits {
  double total = 0.0;  ///< sum of magnitudes, rounded
  int top = 0;         ///< total < 2^top
  int unit = 0;        ///< coefficients are multiples of 2^unit
};
[[nodiscard]] Digits digits_of(const qubo::Quadratic& f);

/// A lower bound of the distance between different values of f.
/// All values are multiples of the bound, or of slightly more.
[[nodiscard]] double step_of(const qubo::Quadratic& f);

}  // namespace oa::solve
