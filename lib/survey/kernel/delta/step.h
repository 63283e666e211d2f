#pragma once

#include "oa/num/matrix.h"

namespace oa::attention {

/// One token of one head in decoding.  `q`, `k` and `decay` have a number for each row
/// of the state, `v` and `o` for each column.
struct DeltaStep {
  const float* q;
  const float* k;
  const float* decay;
  const float* v;
  float step;
  num::View state;
  float* o;
};

/// Advances the state and computes o, as delta_scan() does.
void delta_step(const DeltaStep& at);

}  // namespace oa::attention
