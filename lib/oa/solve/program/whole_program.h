#pragma once

#include "oa/qubo/program.h"
#include "oa/solve/arithmetic/whole.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// A program with its objective in integer multiples of 2^unit,
/// so that sums and comparisons are exact.
struct WholeProgram {
  struct Product {
    std::vector<std::int32_t> variables;  ///< at least two
    Whole weight = 0;
  };
  int unit = 0;
  Whole constant = 0;
  std::vector<Whole> linear;
  std::vector<Product> products;
  std::vector<qubo::ProgramRow> rows;  ///< without rows that always hold
  /// The greatest common divisor of the objective's coefficients; 1 if there are none.
  Whole step = 1;
  int digits = 0;  ///< magnitudes, except the constant's, are below 2^digits

  [[nodiscard]] int size() const { return static_cast<int>(linear.size()); }
};

/// Converts p; empty if the objective's numbers span too many digits for exact sums.
[[nodiscard]] std::optional<WholeProgram> in_whole_numbers(const qubo::Program& p);

/// Returns the rows of p with an empty objective.
[[nodiscard]] WholeProgram without_objective(const qubo::Program& p);

/// Replaces each product by a new variable.
/// Rows limit this variable to at most the product if the weight is negative,
/// else to at least the product.  The first variables are those of `p`.
[[nodiscard]] WholeProgram linearised(WholeProgram p);

/// Strengthens a row: equal 0/1 solutions, fewer fractional solutions.
/// The excess is the largest violation of the limit.
/// A weight above the excess is lowered to the excess.
[[nodiscard]] qubo::ProgramRow tightened(qubo::ProgramRow row);

/// Returns the objective at x, without its constant.
[[nodiscard]] Whole value_of(const WholeProgram& p, std::span<const std::uint8_t> x);

/// True if x satisfies all rows.
[[nodiscard]] bool feasible(std::span<const qubo::ProgramRow> rows,
                            std::span<const std::uint8_t> x);

}  // namespace oa::solve
