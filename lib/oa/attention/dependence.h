#pragma once

#include "oa/attention/kernel/pattern/pattern.h"
#include "oa/attention/kind.h"

namespace oa::attention {

/// Which tokens each output of a layer depends on: query q "sees" key k where row q of
/// the output changes when token k of x (tokens,width) changes a little.  Found by
/// trying, so it is the same question for every kind, with a pattern or without; a
/// choice that depends on the data, as that of the k best keys, is the one for x.
/// Weights below 1e-4 or so are not seen.  n + 1 ways forward, O(n^2) memory.
[[nodiscard]] Pattern dependence(const Layer& layer,
                                 const parts::Weights& weights,
                                 num::ConstView x,
                                 int dim);

}  // namespace oa::attention
