#pragma once

#include "oa/solve/method/stop.h"
#include "oa/solve/program/product_bound.h"
#include "oa/solve/program/propagation.h"
#include "oa/solve/program/whole_program.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// Work for about a second, for runs without a time limit.
inline constexpr std::int64_t kSomeProductWork = 50'000'000;

/// Depth-first branch and bound of a quadratic program by ProductBound, which must suit
/// it.  Reduced costs and rows fix variables.
///
/// Equal calls give equal results, unless the limit of a Stop ends one.
class ProductSearch {
 public:
  /// Called for each feasible x that improves on all earlier x.
  /// The run ends if the callback returns true.
  using Improved = std::function<bool(std::span<const std::uint8_t>)>;

  /// `best` is the value of a known solution.  `p` must outlive this.
  ProductSearch(const WholeProgram& p, Whole best, Improved improved);
  ProductSearch(const ProductSearch&) = delete;
  ProductSearch& operator=(const ProductSearch&) = delete;

  /// Passes the value of a known solution: only better solutions are searched.
  void know(Whole value) { best_ = std::min(best_, value); }

  /// Continues for some work: passes times squared open variables.
  /// Returns true if no x improves on the best.
  bool run(std::int64_t work, const Stop& stop);

  /// The first bound, in units, without the constant; empty if there was none.
  [[nodiscard]] std::optional<Whole> first_bound() const { return first_bound_; }

 private:
  struct Choice {
    std::size_t length;  // number of earlier values
    std::int32_t variable;
    std::uint8_t value;
  };

  [[nodiscard]] bool ended() const;
  [[nodiscard]] double enough_bound() const;
  bool begin();
  bool choose_way();
  bool look(int passes, double pace);
  bool fix(double missing);
  bool leaf();
  bool enter(const Choice& choice);
  [[nodiscard]] Choice choose() const;

  const WholeProgram& p_;
  Whole best_;
  Improved improved_;
  Stop stop_;
  Pace pace_;
  std::int64_t work_ = 0;
  Propagation values_;
  ProductBound bound_;
  ProductBound::Way way_ = ProductBound::Way::Step;
  double highest_ = -HUGE_VAL;  // bound of the last look()
  std::optional<Whole> first_bound_;
  std::vector<Choice> choices_;     // whose other values are not searched yet
  std::optional<Choice> entering_;  // the choice that the end of a run interrupted
  bool begun_ = false;
  bool complete_ = false;
  bool enough_ = false;
};

}  // namespace oa::solve
