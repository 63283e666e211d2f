#pragma once

namespace oa::attention {

// Rows of packed floats (packing.h), `width` of them, a multiple of num::kLane.

/// u = factor u + weight x, then `to` += share u unless `to` is null.
struct SumStep {
  float factor;
  float weight;
  const float* x;
  const float* by;
  float share;
  float* to;
};

/// Updates u; returns its product with `by`, or 0 if that is null.
float step_sum(const SumStep& step, float* u, int width);

/// For each of `steps` rows: u = factor u + its row of `write`; the product is that of
/// u and its row of `read`.
void step_sums(const float* write,
               const float* read,
               const float* factors,
               int steps,
               int width,
               float* u,
               float* products);

/// to = factor * x; `to` may be x.
void scale_row(const float* x, float factor, float* to, int width);

/// a . b
[[nodiscard]] float dot_row(const float* a, const float* b, int width);

}  // namespace oa::attention
