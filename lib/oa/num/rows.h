#pragma once

#include "oa/num/matrix.h"

#include <span>

namespace oa::num {

// Layer normalisation of rows, eps = 1e-5 as in PyTorch, and small loops over whole
// matrices.  Spans of a row have its padded length; the padding is zero.

/// Sets unit = (x - mean) * rstd with rstd = 1 / sqrt(variance + eps), row by row, and
/// y = unit * gain + shift. layer_norm_backward() needs `unit` and `rstd`. y may be x.
void layer_norm(ConstView x,
                std::span<const float> gain,
                std::span<const float> shift,
                View unit,
                std::span<float> rstd,
                View y);

/// Gradients of layer_norm(): computes dx from dy, and adds row sums to `dgain` and
/// `dshift`.  dx may be dy.
void layer_norm_backward(ConstView dy,
                         ConstView unit,
                         std::span<const float> rstd,
                         std::span<const float> gain,
                         View dx,
                         std::span<float> dgain,
                         std::span<float> dshift);

/// to += from
void add(ConstView from, View to);

/// to += scale * from
void add_scaled(ConstView from, float scale, View to);

/// x *= factor
void scale(View x, float factor);

/// to = from
void copy(ConstView from, View to);

void fill(View to, float value);

/// sum (cols) += sum of the rows of x
void add_rows(ConstView x, std::span<float> sum);

/// Returns the sum of a_ij b_ij, in a fixed order.
[[nodiscard]] double dot(ConstView a, ConstView b);

}  // namespace oa::num
