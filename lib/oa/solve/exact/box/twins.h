#pragma once

#include "oa/qubo/matrix.h"

#include <span>
#include <vector>

namespace oa::solve {

/// Variables i and j are twins if exchanging them changes no energy,
/// as for equal tokens.  Among solutions that differ by exchanges of twins,
/// the lexicographically smallest has x_i <= x_j for i < j.
/// The search skips all other solutions, which may be exponentially many.
class Twins {
 public:
  /// O(n^2), or more if there are twins.
  explicit Twins(const qubo::Matrix& j);

  /// Keeps only twins with equal h.
  void set_linear(std::span<const double> h);

  [[nodiscard]] bool any() const { return any_; }

  /// The next larger twin of i, or -1; previous() is the next smaller twin.
  [[nodiscard]] int next(int i) const { return next_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int previous(int i) const {
    return previous_[static_cast<std::size_t>(i)];
  }

 private:
  std::vector<std::vector<int>> groups_;  // twins under J, increasing
  bool any_ = false;
  std::vector<int> next_;
  std::vector<int> previous_;
};

}  // namespace oa::solve
