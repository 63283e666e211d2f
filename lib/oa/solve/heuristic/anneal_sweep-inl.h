// A sweep of annealing; kernels include it once for each instruction set.
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

/// Proposes to flip each variable once, in order, in every lane.  Accepts a rise D of
/// the energy with probability exp(-D/T), T >= 0 the lane's temperature. neighbours(i,
/// add) calls add(k, weight) for each neighbour k of i and returns their number.
/// Returns true if any variable flipped.  Ends early if `pace` stops it.
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
  num::FloatLine reach;  // largest rise that can be accepted
  for (int l = 0; l < kReplicas; ++l) {
    reach.lane[l] = random::kMaxExponential * t.lane[l];
  }
  bool flipped = false;
  std::int64_t work = 0;  // of the previous variable
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
