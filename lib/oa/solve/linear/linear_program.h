#pragma once

#include "oa/solve/method/stop.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace oa::solve {

/// min costs'x with bounds on each x, 0 and 1 at first, and rows low <= a'x <= high.
/// Solved by the dual simplex method of Clp from the last basis.  Its results are
/// approximate and prove nothing.
class LinearProgram {
 public:
  /// True if this library was built with Clp and can load it.  Loads it at the first
  /// call, so that programs start without it.
  [[nodiscard]] static bool available();

  /// Needs available().
  explicit LinearProgram(std::span<const double> costs);
  ~LinearProgram();

  /// Rows in sequence: row r has the entries begins[r] to begins[r + 1].
  struct Rows {
    std::vector<int> begins{0};
    std::vector<int> columns;
    std::vector<double> entries;
    std::vector<double> low;  ///< may be -infinity
    std::vector<double> high;
  };
  void add(const Rows& rows);
  /// Removes rows; later rows move up.
  void remove(std::span<const int> rows);

  void set_bounds(std::span<const double> low, std::span<const double> high);

  /// solve() may end with Infeasible where the minimum is above `cutoff`.
  void set_cutoff(double cutoff);

  enum class Outcome : std::uint8_t { Solved, Infeasible, Failed };
  /// Failed if it was stopped.
  [[nodiscard]] Outcome solve(const Stop& stop);

  /// The solution of the last solve().
  [[nodiscard]] std::span<const double> x() const;
  /// The dual price of each row: the rise of the minimum if its limits fall by 1.  Up
  /// to rounding, rows at `high` have prices of at least 0, rows at `low` of at most 0.
  [[nodiscard]] std::vector<double> prices() const;
  /// After Infeasible: prices, or their negatives, that exclude every x without costs,
  /// up to rounding.  Empty if Clp has none.
  [[nodiscard]] std::vector<double> ray() const;
  /// The sum over all solve() of iterations times rows.
  [[nodiscard]] std::int64_t work() const;

 private:
  class Model;
  std::unique_ptr<Model> model_;
};

}  // namespace oa::solve
