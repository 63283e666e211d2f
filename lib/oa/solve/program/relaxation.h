#pragma once

#include "oa/solve/linear/linear_program.h"
#include "oa/solve/program/lagrangian.h"
#include "oa/solve/program/whole_program.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// The facts that a linear program proves about all x with given values.
struct Relaxed {
  bool solved = false;  ///< x is the solution, up to rounding
  bool empty = false;   ///< proved: no x is feasible
  Whole least = 0;      ///< lower bound of the objective, in multiples of 2^-shift
  Lagrangian function;  ///< its minimum is `least`
  std::vector<double> x;
};

/// The linear program of a program without products, over variables in [0,1].
/// Computes bounds in integers from the prices of the linear program (lagrangian.h),
/// whose errors never invalidate a bound.
class LinearRelaxation {
 public:
  /// Requires LinearProgram::available().  `program` must outlive this.
  explicit LinearRelaxation(const WholeProgram& program);

  /// Adds rows that all feasible x satisfy.
  void add(std::vector<qubo::ProgramRow> cuts);
  /// Removes added rows that x satisfies with slack.
  void drop_slack(std::span<const double> x);

  /// Ignores values of at least `best`.
  void set_cutoff(Whole best);

  /// Each of `values` is 0, 1, or open.
  [[nodiscard]] Relaxed solve(std::span<const std::uint8_t> values, const Stop& stop);

  /// Rounds `least`, in units, up to a multiple of the step.
  [[nodiscard]] Whole rounded(Whole least) const;
  /// The largest bound for which rounded() stays below `best`.
  [[nodiscard]] Whole most_below(Whole best) const {
    return (best - program_.step) << shift_;
  }
  [[nodiscard]] double in_units(Whole least) const;
  [[nodiscard]] std::int64_t work() const { return linear_.work(); }

 private:
  [[nodiscard]] bool excluded(std::span<const std::uint8_t> values) const;

  const WholeProgram& program_;
  int shift_;
  std::vector<qubo::ProgramRow> rows_;  // rows of the program, then added ones
  LinearProgram linear_;
};

}  // namespace oa::solve
