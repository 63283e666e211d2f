#pragma once

#include "oa/solve/method/stop.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace oa::solve {

/// min costs'x where each x is between two bounds, 0 and 1 at first, and rows a'x <= b
/// hold whose entries are 1 and -1.  The dual simplex method of Clp, which goes on from
/// where it was last.  Nothing that it says is proved.
class LinearProgram {
 public:
  /// Whether this library was built with Clp and finds it now.  It is opened when it is
  /// first asked for: programs start without it.
  [[nodiscard]] static bool available();

  /// Needs available().
  explicit LinearProgram(std::span<const double> costs);
  ~LinearProgram();

  /// Rows one after the other: row r has the entries begins[r] to begins[r + 1].
  struct Rows {
    std::vector<int> begins{0};
    std::vector<int> columns;
    std::vector<double> entries;
    std::vector<double> limits;  ///< b
  };
  void add(const Rows& rows);
  /// Those after them move up.
  void remove(std::span<const int> rows);

  void set_bounds(std::span<const double> low, std::span<const double> high);

  /// False if it was stopped, or lost its way.
  [[nodiscard]] bool solve(const Stop& stop);

  /// Where that came to.
  [[nodiscard]] std::span<const double> x() const;
  /// What a row would be worth per unit of b; not negative, up to rounding.
  [[nodiscard]] std::vector<double> prices() const;
  /// Steps of all solve() together, times the rows there were.
  [[nodiscard]] std::int64_t work() const;

 private:
  class Model;
  std::unique_ptr<Model> model_;
};

}  // namespace oa::solve
