#pragma once

#include "oa/qubo/matrix.h"

#include <span>
#include <vector>

namespace oa::solve {

/// Variables that can be exchanged without changing any energy, such as those of equal
/// tokens: J and h stay the same when i and j swap places.  Of the solutions that
/// differ by such swaps only, the lexicographically smallest has x_i <= x_j for twins i
/// < j; the others, of which there may be exponentially many, need not be looked at.
class Twins {
 public:
  /// O(n^2), and more only if there are twins.
  explicit Twins(const qubo::Matrix& j);

  /// Of the twins under J, those with equal h remain.
  void set_linear(std::span<const double> h);

  [[nodiscard]] bool any() const { return any_; }

  /// The next larger twin of i, -1 if there is none; the next smaller one.
  [[nodiscard]] int next(int i) const { return next_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int previous(int i) const {
    return previous_[static_cast<std::size_t>(i)];
  }

 private:
  std::vector<std::vector<int>> groups_;  // twins under J, each increasing
  bool any_ = false;
  std::vector<int> next_;
  std::vector<int> previous_;
};

}  // namespace oa::solve
