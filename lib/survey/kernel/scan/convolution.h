#pragma once

#include "oa/num/matrix.h"

#include <span>

namespace oa::attention {

// Depthwise causal convolution of one sequence, for each channel c:
//
//     y_t = bias + sum_l filter(l, c) x_{t-l},   l = 0 .. taps-1,
//
// with zeros before the first token.  `filter` has taps x channels; vectors run along
// channels.  Views, `filter` and `bias` may have any alignment and stride (packing.h).
// 2 taps FLOPs an element; twice as many for backward.

/// Computes y of n tokens and updates `state`, the last taps-1 rows before x,
/// oldest first.  `bias` is empty or has one number for each channel. y must not be x.
void convolve(num::ConstView x,
              num::ConstView filter,
              std::span<const float> bias,
              num::View state,
              num::View y);

/// Computes gradients for a zero initial state.
/// Overwrites dx and adds to `d_filter` and `d_bias`. dx must not be dy.
void convolve_backward(num::ConstView x,
                       num::ConstView filter,
                       num::ConstView dy,
                       num::View dx,
                       num::View d_filter,
                       std::span<float> d_bias);

}  // namespace oa::attention
