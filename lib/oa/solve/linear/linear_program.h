#pragma once

#include "oa/solve/method/stop.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace oa::solve {

/// Minimises costs'x by Clp's dual simplex method, from the last basis.
/// Each x has bounds, initially 0 and 1, and rows demand low <= a'x <= high.
/// Results are approximate and prove nothing.
class LinearProgram {
 public:
  /// True if built with Clp and Clp can be loaded.
  /// The first call loads Clp, so that tools start without it.
  [[nodiscard]] static bool available();

  /// Requires available().
  explicit LinearProgram(std::span<const double> costs);
  ~LinearProgram();

  /// Rows one after another: row r has entries begins[r] to begins[r + 1] - 1.
  struct Rows {
    std::vector<int> begins{0};
    std::vector<int> columns;
    std::vector<double> entries;
    std::vector<double> low;  ///< may be -infinity
    std::vector<double> high;
  };
  void add(const Rows& rows);
  /// Removes rows; renumbers later rows.
  void remove(std::span<const int> rows);

  void set_bounds(std::span<const double> low, std::span<const double> high);

  /// Allows solve() to end with Infeasible if the minimum exceeds `cutoff`.
  void set_cutoff(double cutoff);

  enum class Outcome : std::uint8_t { Solved, Infeasible, Failed };
  /// Returns Failed if stopped.
  [[nodiscard]] Outcome solve(const Stop& stop);

  /// The solution of the last solve().
  [[nodiscard]] std::span<const double> x() const;
  /// The dual price of each row:
  /// the minimum rises by the price if the row's limits fall by 1.
  /// Up to rounding, prices are >= 0 for rows at `high`, and <= 0 for rows at `low`.
  [[nodiscard]] std::vector<double> prices() const;
  /// After Infeasible: prices, or their negatives, that exclude every x regardless of
  /// costs, up to rounding.  Empty if Clp has no such prices.
  [[nodiscard]] std::vector<double> ray() const;
  /// The sum of iterations * rows over all calls of solve().
  [[nodiscard]] std::int64_t work() const;

 private:
  class Model;
  std::unique_ptr<Model> model_;
};

}  // namespace oa::solve
