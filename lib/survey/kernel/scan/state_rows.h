#pragma once

namespace oa::attention {

// Operations on packed rows (packing.h) of `width` floats, a multiple of num::kLane.

/// One step of a sum: u = factor u + weight x, then to += share u unless `to` is null.
struct SumStep {
  float factor;
  float weight;
  const float* x;
  const float* by;
  float share;
  float* to;
};

/// Updates u; returns the dot product of u and `by`, or 0 if `by` is null.
float step_sum(const SumStep& step, float* u, int width);

/// Sets to = factor * x; `to` may be x.
void scale_row(const float* x, float factor, float* to, int width);

/// Returns the dot product of a and b.
[[nodiscard]] float dot_row(const float* a, const float* b, int width);

}  // namespace oa::attention
