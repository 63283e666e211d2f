#pragma once

#include "oa/qubo/program.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Values of variables, and their propagation: a variable is set if its other value
/// would violate a row.  Values are undone in reverse order.
class Propagation {
 public:
  static constexpr std::uint8_t kUnset = 2;

  struct Effect {
    std::size_t row;
    std::int64_t weight;
  };
  /// The range of a row's sum over all values of open variables.
  struct Bounds {
    std::int64_t least;
    std::int64_t most;
    int open;
  };

  /// `rows` must outlive this.
  Propagation(std::span<const qubo::ProgramRow> rows, int n);

  /// Sets an open variable.  Returns false if a row can no longer hold.
  bool set(std::int32_t i, std::uint8_t value);

  /// Sets variables for which a row leaves one value.
  /// Returns false if a row fails, or if stopped.
  bool propagate(Pace& pace);

  /// The number of set variables; undo() returns to a smaller number.
  [[nodiscard]] std::size_t length() const { return trail_.size(); }
  void undo(std::size_t length);

  /// The value of each variable: 0, 1 or kUnset.
  [[nodiscard]] const std::vector<std::uint8_t>& values() const { return values_; }
  [[nodiscard]] bool open(std::int32_t i) const {
    return values_[static_cast<std::size_t>(i)] == kUnset;
  }
  [[nodiscard]] const Bounds& bounds(std::size_t row) const { return bounds_[row]; }
  /// 1 + the number of failures of a row.
  [[nodiscard]] double failed(std::size_t row) const { return failed_[row]; }
  [[nodiscard]] std::span<const Effect> rows_of(std::int32_t i) const {
    return in_[static_cast<std::size_t>(i)];
  }

 private:
  static void count(Bounds& b, std::int64_t weight, std::uint8_t value, int sign);
  bool propagate(std::size_t row);

  std::span<const qubo::ProgramRow> rows_;
  std::vector<std::uint8_t> values_;
  std::vector<std::vector<Effect>> in_;  // rows of each variable
  std::vector<double> failed_;
  std::vector<Bounds> bounds_;
  std::vector<std::int32_t> trail_;  // set variables, in order
  std::vector<std::size_t> queue_;   // rows to check
  std::vector<bool> queued_;
};

}  // namespace oa::solve
