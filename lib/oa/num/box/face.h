#pragma once

#include "oa/num/matrix.h"

namespace oa::num {

/// The coordinates of a box QP (qp.h) that are inside of the box, while the others
/// stay where they are: a small problem of its own.
class BoxFace {
 public:
  static constexpr int kMost = 47;

  /// Lists the first `count` coordinates of x that are above 0 and below 1.  If there
  /// are more than kMost, none.
  void list(const float* x, int count);

  /// Takes the problem of those that are listed, an element of `gradient` for each; in
  /// the second form J = scale rows rows', a row for each.
  void take(ConstView j, const float* x, const float* gradient);
  void take(ConstView rows, float scale, const float* x, const float* gradient);

  /// They go to their common minimum; those that reach a bound before stay there.  What
  /// has no curvature that floats could tell does not move.  O(size^3) for each time
  /// that some reach a bound.
  void minimize();

  [[nodiscard]] int size() const { return size_; }
  /// Which coordinate of x one of them is, and where it is now.
  [[nodiscard]] int index(int k) const { return index_[k]; }
  [[nodiscard]] float at(int k) const { return x_[k]; }

 private:
  static constexpr int kStride = kMost + 1;  // a column more than coordinates
  static_assert(kStride % kLane == 0);
  using Row = float[kStride];

  void begin(const float* x, const float* gradient);
  void find_step();
  bool stop_at_bounds();
  float change_by_step();
  void go();

  alignas(64) Row j_[kMost];
  alignas(64) Row reduced_[kMost];
  alignas(64) Row change_;  // of the gradient by the step
  Row x_;
  Row g_;
  Row step_;
  Row whole_step_;  // as if there were no bounds
  int index_[kMost];
  int size_ = 0;
  int left_[kMost];  // those that have not reached a bound
  int left_count_ = 0;
};

}  // namespace oa::num
