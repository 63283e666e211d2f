#pragma once

#include "oa/solve/method/stop.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace oa::solve {

/// min costs'x with bounds on each x, 0 and 1 at first, and rows a'x <= b whose entries
/// are 1 and -1.  Solved by the dual simplex method of Clp from the last basis.  Its
/// results are approximate and prove nothing.
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
    std::vector<double> limits;  ///< b
  };
  void add(const Rows& rows);
  /// Removes rows; later rows move up.
  void remove(std::span<const int> rows);

  void set_bounds(std::span<const double> low, std::span<const double> high);

  /// False if it was stopped or failed.
  [[nodiscard]] bool solve(const Stop& stop);

  /// The solution of the last solve().
  [[nodiscard]] std::span<const double> x() const;
  /// The dual price of each row per unit of b; not negative, up to rounding.
  [[nodiscard]] std::vector<double> prices() const;
  /// The sum over all solve() of iterations times rows.
  [[nodiscard]] std::int64_t work() const;

 private:
  class Model;
  std::unique_ptr<Model> model_;
};

}  // namespace oa::solve
