#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A smaller problem made from good solutions.  Connected variables that differ in the
/// same solutions, or in none, form a group that flips as a whole (Houdayer and Martin,
/// "Hierarchical approach for computing spin glass ground states", 2001).  The vectors
/// of the problem include all mixtures of the solutions by separate regions.
class Merged {
 public:
  /// `solutions` has at least one solution of f.  O(solutions * n + pairs log pairs).
  Merged(const qubo::Quadratic& f, std::span<const Solution> solutions);

  /// y_g = 1 flips group g of the first solution.
  /// Energies equal those of f, up to rounding of sums.
  [[nodiscard]] const qubo::Quadratic& problem() const { return problem_; }

  /// Returns the x of f for y.
  [[nodiscard]] std::vector<std::uint8_t> whole(std::span<const std::uint8_t> y) const;

 private:
  std::vector<std::uint8_t> first_;
  std::vector<int> group_;
  qubo::Quadratic problem_;
};

}  // namespace oa::solve
