#pragma once

#include "oa/num/matrix.h"

namespace oa::attention {

// Elementwise gates of recurrent kinds; an element costs one exponential. y may be x.
// `slope` becomes dy/dx unless its data is null.  NaN stays NaN.
// Views may have any alignment and stride (scan/packing.h).

/// y = x / (1 + exp(-x))
void silu(num::ConstView x, num::View y, num::View slope);

/// y = 1 / (1 + exp(-x))
void sigmoid(num::ConstView x, num::View y, num::View slope);

/// y = log(1 + exp(x))
void softplus(num::ConstView x, num::View y, num::View slope);

/// y = scale log(1 / (1 + exp(-x))), never above 0 for scale >= 0
void log_sigmoid(num::ConstView x, float scale, num::View y, num::View slope);

/// y = -exp(x), which equals its derivative
void minus_exp(num::ConstView x, num::View y);

}  // namespace oa::attention
