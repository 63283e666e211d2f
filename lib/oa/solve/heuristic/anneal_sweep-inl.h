// A sweep of annealing; included once for each instruction set, by kernels.
#if defined(OA_SOLVE_ANNEAL_SWEEP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_SOLVE_ANNEAL_SWEEP_INL
#undef OA_SOLVE_ANNEAL_SWEEP_INL
#else
#define OA_SOLVE_ANNEAL_SWEEP_INL
#endif

#include "oa/solve/heuristic/cooling.h"
#include "oa/solve/heuristic/lane_random-inl.h"
#include "oa/solve/method/stop.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

/// Proposes to flip each variable once, in order, in every lane.  A rise by D is
/// accepted with probability exp(-D/T), where T, the temperature of the lane, may be 0.
/// neighbours(i, add) calls add(k, weight) for each neighbour k of i and returns their
/// number.  Returns whether anything flipped.  Ends early if `pace` stops it.
template <class Neighbours>
HWY_INLINE bool anneal_sweep(const AnnealState& s,
                             const num::FloatLine& temperature,
                             Pace& pace,
                             const Neighbours& neighbours) {
  namespace hn = hwy::HWY_NAMESPACE;
  using D = HWY_CAPPED(float, kReplicas);
  constexpr D d;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
  const num::FloatLine t = temperature;
  num::FloatLine reach;  // the largest rise that may be accepted
  for (int l = 0; l < kReplicas; ++l) {
    reach.lane[l] = random::kMaxExponential * t.lane[l];
  }
  bool flipped = false;
  std::int64_t work = 0;  // of the variable before
  for (int i = 0; i < s.n && !pace(kReplicas + work); ++i) {
    work = 0;
    for (int l = 0; l < kReplicas; l += kLanes) {
      const auto sign = hn::Load(d, s.sign[i].lane + l);
      const auto change = hn::Mul(sign, hn::Load(d, s.field[i].lane + l));
      if (hn::AllFalse(d, hn::Lt(change, hn::Load(d, reach.lane + l)))) {
        continue;
      }
      const auto cost =
          hn::Mul(hn::Load(d, t.lane + l), random::exponential(*s.random, l));
      const auto accept = hn::Lt(change, cost);
      if (hn::AllFalse(d, accept)) {
        continue;
      }
      flipped = true;
      const auto delta = hn::IfThenElseZero(accept, sign);
      work +=
          kLanes * neighbours(i, [&](int k, float weight) HWY_ATTR {
            float* field = s.field[k].lane + l;
            hn::Store(
                hn::MulAdd(hn::Set(d, weight), delta, hn::Load(d, field)), d, field);
          });
      hn::Store(hn::IfThenElse(accept, hn::Neg(sign), sign), d, s.sign[i].lane + l);
      float* energy = s.energy->lane + l;
      hn::Store(
          hn::Add(hn::Load(d, energy), hn::IfThenElseZero(accept, change)), d, energy);
    }
  }
  return flipped;
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // once per target
