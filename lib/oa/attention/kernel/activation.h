#pragma once

#include "oa/num/matrix.h"

namespace oa::attention {

// Gates of recurrent kinds, element by element, each at the price of an exponential.
// y may be x.  `slope` becomes dy/dx, unless it has no data.  A NaN stays one.  Views
// may begin anywhere and have any stride (packing.h).

/// y = x / (1 + exp(-x))
void silu(num::ConstView x, num::View y, num::View slope);

/// y = log(1 + exp(x))
void softplus(num::ConstView x, num::View y, num::View slope);

/// y = scale log(1 / (1 + exp(-x))), for scale >= 0 never above 0
void log_sigmoid(num::ConstView x, float scale, num::View y, num::View slope);

/// y = -exp(x), which is its slope, too
void minus_exp(num::ConstView x, num::View y);

}  // namespace oa::attention
