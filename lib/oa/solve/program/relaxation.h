#pragma once

#include "oa/solve/linear/linear_program.h"
#include "oa/solve/program/lagrangian.h"
#include "oa/solve/program/whole_program.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// What a linear program says about all x with some fixed values.
struct Relaxed {
  bool solved = false;  ///< x is its solution, up to rounding
  bool empty = false;   ///< it is proved that no x satisfies the rows
  Whole least = 0;      ///< a lower bound of the objective, in multiples of 2^-shift
  Lagrangian function;  ///< its minimum is `least`
  std::vector<double> x;
};

/// The linear program of a program without products, whose variables are between 0 and
/// 1.  Bounds are computed from its prices by whole numbers (lagrangian.h), so that
/// errors of the linear program make no wrong bound.
class LinearRelaxation {
 public:
  /// Needs LinearProgram::available().  `program` must outlive it.
  explicit LinearRelaxation(const WholeProgram& program);

  /// Adds rows that all solutions satisfy.
  void add(std::vector<qubo::ProgramRow> cuts);
  /// Removes added rows that x satisfies with room.
  void drop_slack(std::span<const double> x);

  /// Values of at least `best` are of no interest.
  void set_cutoff(Whole best);

  /// `values`: 0, 1, or open.
  [[nodiscard]] Relaxed solve(std::span<const std::uint8_t> values, const Stop& stop);

  /// The least multiple of the step that is not below `least`, in units.
  [[nodiscard]] Whole rounded(Whole least) const;
  /// The largest bound that rounded() leaves below `best`.
  [[nodiscard]] Whole most_below(Whole best) const {
    return (best - program_.step) << shift_;
  }
  [[nodiscard]] double in_units(Whole least) const;
  [[nodiscard]] std::int64_t work() const { return linear_.work(); }

 private:
  [[nodiscard]] bool excluded(std::span<const std::uint8_t> values) const;

  const WholeProgram& program_;
  int shift_;
  std::vector<qubo::ProgramRow> rows_;  // of the program, and added ones
  LinearProgram linear_;
};

}  // namespace oa::solve
