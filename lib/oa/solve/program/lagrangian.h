#pragma once

#include "oa/solve/program/whole_program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// The Lagrangian function of a program without products for prices l of its rows:
///   sum_i s_i x_i - sum_k max(l_k low_k, l_k high_k),  s_i = c_i + sum_k l_k a_ki,
/// in multiples of 2^-shift of a unit.  It is not above the objective where the rows
/// hold.  Prices are rounded first and sums are exact, so wrong prices weaken bounds,
/// but never make them wrong.
struct Lagrangian {
  Whole sides = 0;            ///< sum_k max(l_k low_k, l_k high_k)
  std::vector<Whole> slopes;  ///< s

  /// Its minimum over all x with these values; a value above 1 is open.
  [[nodiscard]] Whole minimum(std::span<const std::uint8_t> values) const;
};

/// The digits after the unit that prices may have.
[[nodiscard]] int price_digits(const WholeProgram& p);

/// The function of `costs`, whole multiples of a unit, with prices of rows in units.  A
/// price is left out if its sign needs a limit that the row does not have.
[[nodiscard]] Lagrangian lagrangian(std::span<const Whole> costs,
                                    std::span<const qubo::ProgramRow> rows,
                                    std::span<const double> prices,
                                    int shift);

}  // namespace oa::solve
