#pragma once

#include "oa/solve/program/whole_program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// The Lagrangian function of a program without products for prices l of its rows:
///   sum_i s_i x_i - sum_k max(l_k low_k, l_k high_k),  s_i = c_i + sum_k l_k a_ki,
/// in multiples of 2^-shift units.  At feasible x, it does not exceed the objective.
/// Prices are rounded first and sums are exact,
/// so poor prices weaken bounds but never invalidate them.
struct Lagrangian {
  Whole sides = 0;            ///< sum_k max(l_k low_k, l_k high_k)
  std::vector<Whole> slopes;  ///< s

  /// The minimum over all x with the given values; a value above 1 is open.
  [[nodiscard]] Whole minimum(std::span<const std::uint8_t> values) const;
};

/// The number of binary digits that prices may have below one unit.
[[nodiscard]] int price_digits(const WholeProgram& p);

/// Returns the Lagrangian function of `costs`, integer multiples of a unit,
/// for prices in units.  Ignores a price whose sign needs a limit that the row lacks.
[[nodiscard]] Lagrangian lagrangian(std::span<const Whole> costs,
                                    std::span<const qubo::ProgramRow> rows,
                                    std::span<const double> prices,
                                    int shift);

}  // namespace oa::solve
