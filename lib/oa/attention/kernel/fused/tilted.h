#pragma once

#include "oa/attention/kernel/fused/fused.h"
#include "oa/attention/kernel/heads.h"
#include "oa/attention/kernel/pattern/pattern.h"
#include "oa/num/matrix.h"

namespace oa::attention {

/// The second queries r of tilted attention, and the rows kept for the backward pass,
/// which are empty if none follows.
struct Tilt {
  num::ConstView r;  ///< queries x heads d
  num::View mean;    ///< queries x heads d: o1
  num::View shift;   ///< heads x queries: s
};

/// Local-linear attention: with P = softmax of scale q k' and T = scale r k',
///   o1 = P v,  s = rowsum(P * T),  o2 = (P * T) v,   o = (1 + s) o1 - o2
/// A query's value is that of a line fitted around it instead of a mean.  8 pairs d
/// FLOPs a head.  The scratch memory is tilted; log_sums may be empty if tilt.mean is.
void tilted_forward(const HeadsView& heads,
                    const Tilt& tilt,
                    const Pattern& pattern,
                    num::View o,
                    num::View log_sums,
                    const FusedScratch& scratch);

/// Gradients of tilted_forward, with A = rowsum(dO * o1):
///   dv = (P * (1 + s - T))' dO,  dT = P * (A - dP),  D = rowsum(dO * o) + A s
///   dS = P * (dP * (1 + s - T) + A T - D),  dq = scale dS k,  dr = scale dT k
///   dk = scale (dS' q + dT' r)
/// 16 pairs d FLOPs a head.
void tilted_backward(const HeadsView& heads,
                     const Tilt& tilt,
                     const Pattern& pattern,
                     num::ConstView o,
                     num::ConstView log_sums,
                     num::ConstView d_o,
                     const HeadsGradient& gradient,
                     num::View dr,
                     const GradientScratch& scratch);

}  // namespace oa::attention
