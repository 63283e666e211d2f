#pragma once

#include "oa/num/matrix.h"

#include <span>

namespace oa::attention {

// Root mean square normalisation of each head of each row, with a gain for each column:
//
//     rstd = 1 / sqrt(mean x^2 + 1e-5)      y = rstd gain * x, elementwise
//
// Heads are column blocks of equal width.  Views may have any alignment and stride
// (scan/packing.h).  About 4 operations an element, 9 for backward.

/// `rstd` is n x heads.  y may be x.
void rms_norm(num::ConstView x,
              int heads,
              std::span<const float> gain,
              num::View rstd,
              num::View y);

/// Overwrites dx, which may be dy, and adds to `d_gain`.
void rms_norm_backward(num::ConstView x,
                       int heads,
                       std::span<const float> gain,
                       num::ConstView rstd,
                       num::ConstView dy,
                       num::View dx,
                       std::span<float> d_gain);

}  // namespace oa::attention
