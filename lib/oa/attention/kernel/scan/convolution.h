#pragma once

#include "oa/num/matrix.h"

#include <span>

namespace oa::attention {

// Depthwise causal convolution of one sequence: every channel c by itself,
//
//     y_t = bias + sum_l filter(l, c) x_{t-l},   l = 0 .. taps-1,
//
// with zeros before the first token.  Taps are rows of `filter` (taps x channels) and
// channels lie side by side, so that vectors go along channels.  Views may begin
// anywhere and have any stride (packing.h); `filter` and `bias`, too.  2 taps FLOP an
// element forward, twice that backward.

/// y of n tokens that follow those in `state`, the last taps-1 rows of x, oldest first,
/// which moves on.  `bias` is empty or has one number a channel.  y must not be x.
void convolve(num::ConstView x,
              num::ConstView filter,
              std::span<const float> bias,
              num::View state,
              num::View y);

/// Gradients from a state of zeros: dx replaces what is there, `d_filter` and `d_bias`
/// are added to.  dx must not be dy.
void convolve_backward(num::ConstView x,
                       num::ConstView filter,
                       num::ConstView dy,
                       num::View dx,
                       num::View d_filter,
                       std::span<float> d_bias);

}  // namespace oa::attention
