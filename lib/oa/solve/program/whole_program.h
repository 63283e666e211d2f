#pragma once

#include "oa/qubo/program.h"
#include "oa/solve/arithmetic/whole.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// A program whose objective is in whole multiples of 2^unit, so that sums and
/// comparisons are exact.
struct WholeProgram {
  struct Product {
    std::vector<std::int32_t> variables;  ///< two or more
    Whole weight = 0;
  };
  int unit = 0;
  Whole constant = 0;
  std::vector<Whole> linear;
  std::vector<Product> products;
  std::vector<qubo::ProgramRow> rows;  ///< without those that always hold
  /// The greatest common divisor of linear and products; 1 if there are none.
  Whole step = 1;
  int digits = 0;  ///< all magnitudes but that of the constant are below 2^digits

  [[nodiscard]] int size() const { return static_cast<int>(linear.size()); }
};

/// Nothing if the numbers of the objective span too many digits for exact sums.
[[nodiscard]] std::optional<WholeProgram> in_whole_numbers(const qubo::Program& p);

/// The same rows, with an empty objective.
[[nodiscard]] WholeProgram without_objective(const qubo::Program& p);

/// The same program without products: a variable of its own stands for each, and rows
/// keep it at most the product if the weight is negative, else at least the product.
/// The first variables are those of `p`.
[[nodiscard]] WholeProgram linearised(WholeProgram p);

/// A row with the same 0/1 solutions and fewer others between 0 and 1.  A weight larger
/// than the excess, by which the limit can be missed, becomes the excess.
[[nodiscard]] qubo::ProgramRow tightened(qubo::ProgramRow row);

/// The objective without its constant.
[[nodiscard]] Whole value_of(const WholeProgram& p, std::span<const std::uint8_t> x);

/// True if x satisfies all rows.
[[nodiscard]] bool feasible(std::span<const qubo::ProgramRow> rows,
                            std::span<const std::uint8_t> x);

}  // namespace oa::solve
