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

/// penalty (sum of weights times variables - right)^2, a part of a function.
struct Square {
  std::vector<qubo::ProgramRow::Entry> entries;  ///< in rising order
  std::int64_t right = 0;
  double penalty = 0.0;
  /// The variables that no other square and no coupling of the rest touches.
  std::vector<std::int32_t> slack;

  /// True if it says that one of its variables is 1, without slack.
  [[nodiscard]] bool one_hot() const;
};

/// f(x) = rest(x) + all squares, exactly.
struct Squares {
  std::vector<Square> squares;
  qubo::Quadratic rest;
};

/// Finds squares that stand for constraints in a function of 0/1 variables to be
/// minimised: their penalties are large beside the rest.  They may overlap.  Those with
/// slack digits are found by the couplings of a digit, which lies in one square; others
/// as cliques whose couplings are nearly 2 P a_i a_k, with the right sides that a
/// fractional minimum has.  O(n + pairs) where there are none, and about linear in the
/// couplings of variables that are in squares.  Nothing is found if numbers span too
/// many digits.
[[nodiscard]] Squares find_squares(const qubo::Quadratic& f, const Stop& stop);

/// The rest of a function under its squares as constraints.  Slack digits that give
/// every whole number become the range of a row.
class SquareProgram {
 public:
  explicit SquareProgram(const Squares& squares);

  [[nodiscard]] const qubo::Quadratic& objective() const { return objective_; }
  [[nodiscard]] std::span<const qubo::ProgramRow> rows() const { return rows_; }
  [[nodiscard]] qubo::Program program() const;
  /// The variables of the function that are those of the program.
  [[nodiscard]] std::span<const std::int32_t> variables() const { return variables_; }

  /// An x of the function as one of the program.
  [[nodiscard]] std::vector<std::uint8_t> shortened(
      std::span<const std::uint8_t> x) const;
  /// The inverse, with the slack digits that bring each square nearest to 0.
  [[nodiscard]] std::vector<std::uint8_t> restored(
      std::span<const std::uint8_t> x) const;

 private:
  /// A square whose slack digits became a range.
  struct Range {
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::vector<qubo::ProgramRow::Entry> slack;  // by falling magnitude
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

/// The program as a model with constraints "square1", ...  Its variables have the given
/// names, or their numbers in the function.
[[nodiscard]] qubo::Model model_of(const Squares& squares,
                                   const std::vector<std::string>& names);

/// A line for people: "20 squares over 60 variables with digits 1, 2, 4, 8".
[[nodiscard]] std::string summary_of(const Squares& squares);

}  // namespace oa::solve
