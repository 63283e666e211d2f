#pragma once

#include "oa/qubo/model.h"
#include "oa/qubo/program.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oa::solve {

/// A part of a function: penalty * (sum of weights * variables - right)^2.
struct Square {
  std::vector<qubo::ProgramRow::Entry> entries = {};  ///< increasing
  std::int64_t right = 0;
  double penalty = 0.0;
  /// Variables that are in no other square and in no coupling of the rest.
  std::vector<std::int32_t> slack = {};

  /// True if the square says "exactly one variable is 1", without slack.
  [[nodiscard]] bool one_hot() const;
};

/// f(x) = rest(x) + all squares, exactly.
struct Squares {
  std::vector<Square> squares;
  qubo::Quadratic rest;
};

/// Finds squared constraints in a minimised function of 0/1 variables:
/// squares with large penalties relative to the rest, which may overlap.
/// A slack digit is in only one square, so its couplings reveal the square.  Squares
/// without slack are cliques with couplings of nearly 2 P a_i a_k; a fractional minimum
/// gives their right sides.  Takes O(n + pairs) without squares, otherwise about linear
/// time in the couplings of their variables.  Empty if numbers span too many digits.
[[nodiscard]] Squares find_squares(const qubo::Quadratic& f, const Stop& stop);

/// The rest of a function with its squares as constraints.
/// Slack digits whose sums are all whole numbers of a range become the range of a row.
class SquareProgram {
 public:
  explicit SquareProgram(const Squares& squares);

  [[nodiscard]] const qubo::Quadratic& objective() const { return objective_; }
  [[nodiscard]] std::span<const qubo::ProgramRow> rows() const { return rows_; }
  [[nodiscard]] qubo::Program program() const;
  /// The variables of the function that the program keeps.
  [[nodiscard]] std::span<const std::int32_t> variables() const { return variables_; }

  /// Converts an x of the function to an x of the program.
  [[nodiscard]] std::vector<std::uint8_t> shortened(
      std::span<const std::uint8_t> x) const;
  /// Converts back, with slack digits that bring each square closest to 0.
  [[nodiscard]] std::vector<std::uint8_t> restored(
      std::span<const std::uint8_t> x) const;

 private:
  /// A square whose slack digits became a range.
  struct Range {
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::vector<qubo::ProgramRow::Entry> slack;  // largest magnitude first
    std::vector<qubo::ProgramRow::Entry> others;
  };

  void shorten(const qubo::Quadratic& rest,
               std::span<const std::int32_t> place,
               const std::vector<bool>& dropped);

  int n_ = 0;  // variables of the function
  qubo::Quadratic objective_;
  std::vector<qubo::ProgramRow> rows_;
  std::vector<std::int32_t> variables_;
  std::vector<Range> ranges_;
};

/// Returns the program as a model with constraints "square1",
/// ... Variables keep the given names, or their indices in the function.
[[nodiscard]] qubo::Model model_of(const Squares& squares,
                                   const std::vector<std::string>& names);

/// Returns a summary: "20 squares over 60 variables with digits 1, 2, 4, 8".
[[nodiscard]] std::string summary_of(const Squares& squares);

}  // namespace oa::solve
