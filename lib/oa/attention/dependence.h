#pragma once

#include "oa/attention/kernel/pattern/pattern.h"
#include "oa/attention/kind.h"

namespace oa::attention {

/// Which tokens each output of a layer depends on: query q "sees" key k if row q of the
/// output changes when token k of x (tokens,width) changes a little.  Works for every
/// kind, because it only runs the layer; a choice that depends on the data, such as the
/// k best keys, is that for x.  Weights below about 1e-4 are missed.  Costs n + 1
/// forward passes and O(n^2) memory.
[[nodiscard]] Pattern dependence(const Layer& layer,
                                 const parts::Weights& weights,
                                 num::ConstView x,
                                 int dim);

}  // namespace oa::attention
