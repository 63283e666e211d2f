#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Whole numbers below 2^127 in magnitude.
__extension__ typedef __int128 Whole;

/// One entry of a row.
struct WholeCoupling {
  std::int32_t other = 0;
  Whole weight = 0;
};

/// A quadratic function of 0/1 variables whose numbers are whole multiples of 2^unit:
/// sums, differences and comparisons of them are exact.  Symmetric as qubo::Quadratic,
/// without a constant; rows are in no order.
struct WholeFunction {
  int unit = 0;
  std::vector<Whole> linear;
  std::vector<std::vector<WholeCoupling>> rows;

  [[nodiscard]] int size() const { return static_cast<int>(linear.size()); }
};

/// `weight`, a multiple of 2^unit below 2^120 of them, in this unit.
[[nodiscard]] Whole in_units(double weight, int unit);

/// units * 2^unit, which has at most 106 digits.
[[nodiscard]] TwoDoubles in_doubles(Whole units, int unit);

/// `f` without its constant; its variables are 0 and 1.  O(n + pairs); some rows are
/// missing if `pace` says to stop.
[[nodiscard]] WholeFunction in_whole_numbers(const qubo::Quadratic& f,
                                             int unit,
                                             Pace& pace);

/// The constant of `f`.
[[nodiscard]] Whole constant_of(const qubo::Quadratic& f, int unit);

/// Back again.
[[nodiscard]] qubo::Quadratic in_doubles(const WholeFunction& f);

/// How the numbers of a function lie.
struct Digits {
  double total = 0.0;  ///< of their magnitudes, rounded
  int top = 0;         ///< total < 2^top
  int unit = 0;        ///< all are multiples of 2^unit
};
[[nodiscard]] Digits digits_of(const qubo::Quadratic& f);

/// All values of f are whole multiples of this, or a little more, beside its constant.
[[nodiscard]] double step_of(const qubo::Quadratic& f);

}  // namespace oa::solve
