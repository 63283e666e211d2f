#pragma once

#include "oa/num/matrix.h"

namespace oa::num {

/// The problem of the coordinates of a box QP (qp.h) that are strictly inside the box,
/// while the others stay fixed.
class BoxFace {
 public:
  static constexpr int kMax = 47;

  /// Lists those among the first `count` coordinates of x that are above 0 and below 1;
  /// none if there are more than kMax.
  void list(const float* x, int count);

  /// Sets the problem of the listed coordinates, with an element of `gradient` for
  /// each.  In the second form J = scale rows rows', with a row for each.
  void take(ConstView j, const float* x, const float* gradient);
  void take(ConstView rows, float scale, const float* x, const float* gradient);

  /// Moves the coordinates to their common minimum; those that reach a bound before it
  /// stay there.  Directions without measurable curvature do not move.  O(size^3) for
  /// each time that coordinates reach a bound.
  void minimize();

  [[nodiscard]] int size() const { return size_; }
  /// The coordinate of x with number k, and its present value.
  [[nodiscard]] int index(int k) const { return index_[k]; }
  [[nodiscard]] float at(int k) const { return x_[k]; }

 private:
  static constexpr int kStride = kMax + 1;  // one column more than coordinates
  static_assert(kStride % kLane == 0);
  using Row = float[kStride];

  void begin(const float* x, const float* gradient);
  void find_step();
  bool stop_at_bounds();
  float change_by_step();
  void go();

  alignas(64) Row j_[kMax];
  alignas(64) Row reduced_[kMax];
  alignas(64) Row change_;  // of the gradient by the step
  Row x_;
  Row g_;
  Row step_;
  Row whole_step_;  // without bounds
  int index_[kMax];
  int size_ = 0;
  int left_[kMax];  // coordinates that have not reached a bound
  int left_count_ = 0;
};

}  // namespace oa::num
