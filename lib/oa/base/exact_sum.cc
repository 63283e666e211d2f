#include "oa/base/exact_sum.h"

#include <cmath>
#include <limits>

namespace oa {

void ExactSum::keep(double x) {
  int kept = 0;
  for (int i = 0; i < count_; ++i) {
    const double sum = parts_[i] + x;
    const double error = rounding(parts_[i], x, sum);
    if (error != 0.0) {
      parts_[kept++] = error;
    }
    x = sum;
  }
  parts_[kept++] = x;
  count_ = kept;
}

double ExactSum::value() const {
  if (count_ == 0) {
    return top_;
  }
  ExactSum all = *this;
  all.keep(top_);
  // Add from the largest down until rounding loses something.
  int i = all.count_ - 1;
  double sum = all.parts_[i];
  double lost = 0.0;
  while (i > 0 && lost == 0.0) {
    const double part = all.parts_[--i];
    const double next = sum + part;
    lost = part - (next - sum);
    sum = next;
  }
  // If the loss is exactly half a unit, the parts below decide the rounding.
  if (i > 0 && (lost < 0.0) == (all.parts_[i - 1] < 0.0)) {
    const double up = sum + 2.0 * lost;
    if (up - sum == 2.0 * lost) {
      sum = up;
    }
  }
  return sum;
}

TwoDoubles ExactSum::two() const {
  const double nearest = value();
  if (count_ == 0) {
    return nearest;
  }
  ExactSum left = *this;
  left.add(-nearest);
  return {nearest, left.value()};
}

double ExactSum::rounded_down() const {
  const TwoDoubles sum = two();
  return sum.rest < 0.0
             ? std::nextafter(sum.value, -std::numeric_limits<double>::infinity())
             : sum.value;
}

}  // namespace oa
