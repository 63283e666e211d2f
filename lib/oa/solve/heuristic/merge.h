#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// The smaller problem that remains where good solutions are taken at their word: of
/// variables that hang together and differ, among these solutions, in the same places
/// or nowhere, none is flipped without the others.  (Houdayer and Martin, "Hierarchical
/// approach for computing spin glass ground states", 2001.)  Every mixture of the
/// solutions by regions that do not touch is among its vectors.
class Merged {
 public:
  /// `solutions` is not empty, all are of `f`.  O(solutions * n + pairs log pairs).
  Merged(const qubo::Quadratic& f, std::span<const Solution> solutions);

  /// y_g = 1 flips group g in the first solution; its energies are those of f, as far
  /// as sums are not rounded.
  [[nodiscard]] const qubo::Quadratic& problem() const { return problem_; }

  /// The vector of f that y stands for.
  [[nodiscard]] std::vector<std::uint8_t> whole(std::span<const std::uint8_t> y) const;

 private:
  std::vector<std::uint8_t> first_;
  std::vector<int> group_;
  qubo::Quadratic problem_;
};

}  // namespace oa::solve
