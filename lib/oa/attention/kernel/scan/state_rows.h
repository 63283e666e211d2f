#pragma once

namespace oa::attention {

// Rows of packed floats (packing.h), `width` of them, a multiple of num::kLane.

/// u = factor u + weight x, then `to` += share u, if there is a `to`.
struct SumStep {
  float factor;
  float weight;
  const float* x;
  const float* by;
  float share;
  float* to;
};

/// Does a step with u; returns its product with `by`, or 0 if there is none.
float step_sum(const SumStep& step, float* u, int width);

/// For each of `steps` rows: u = factor u + its row of `write`, then its product with u
/// of the row of `read`.
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
