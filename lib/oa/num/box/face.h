#pragma once

#include "oa/num/matrix.h"

namespace oa::num {

/// The minimisation of a box QP (qp.h) over the coordinates strictly inside the box;
/// all other coordinates stay fixed.
class BoxFace {
 public:
  static constexpr int kMax = 47;

  /// Lists the coordinates strictly between 0 and 1 among the first `count` of x,
  /// or none if there are more than kMax.
  void list(const float* x, int count);

  /// Sets the problem of the listed coordinates; `gradient` has one element for each.
  /// The second form has J = scale rows rows' with one row for each coordinate.
  void take(ConstView j, const float* x, const float* gradient);
  void take(ConstView rows, float scale, const float* x, const float* gradient);

  /// Moves the coordinates to their joint minimum.  A coordinate that reaches a bound
  /// on the way stays at the bound.  Directions without measurable curvature do not
  /// move.  O(size^3) each time that coordinates reach a bound.
  void minimize();

  [[nodiscard]] int size() const { return size_; }
  /// The index in x of listed coordinate k, and its current value.
  [[nodiscard]] int index(int k) const { return index_[k]; }
  [[nodiscard]] float at(int k) const { return x_[k]; }

 private:
  static constexpr int kStride = kMax + 1;  // the last column is the right side
  static_assert(kStride % kLane == 0);
  using Row = float[kStride];

  void begin(const float* x, const float* gradient);
  void find_step();
  bool stop_at_bounds();
  float change_by_step();
  void go();

  alignas(64) Row j_[kMax];
  alignas(64) Row reduced_[kMax];
  alignas(64) Row change_;  // of the gradient, by the step
  Row x_;
  Row g_;
  Row step_;
  Row whole_step_;  // the step if there were no bounds
  int index_[kMax];
  int size_ = 0;
  int left_[kMax];  // coordinates not at a bound yet
  int left_count_ = 0;
};

}  // namespace oa::num
