// Loads and stores of fewer floats than a vector has, which touch nothing behind them.
// Included behind <hwy/foreach_target.h>, so it is read once for each target.
#include "oa/num/matrix.h"

#include <hwy/highway.h>

#if defined(OA_ATTENTION_KERNEL_SOME_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_ATTENTION_KERNEL_SOME_INL_H_
#undef OA_ATTENTION_KERNEL_SOME_INL_H_
#else
#define OA_ATTENTION_KERNEL_SOME_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, num::kLane>;
using Vector = hn::Vec<Floats>;

/// The first `count` floats at `from`, zeros behind them; all of them if the vector has
/// no more.
HWY_INLINE HWY_ATTR Vector load_some(const float* from, int count) {
  const Floats d;
  if (count >= static_cast<int>(hn::Lanes(d))) {
    return hn::LoadU(d, from);
  }
  HWY_ALIGN float lane[num::kLane] = {};
  for (int i = 0; i < count; ++i) {
    lane[i] = from[i];
  }
  return hn::Load(d, lane);
}

/// Writes the first `count` floats of x.
HWY_INLINE HWY_ATTR void store_some(Vector x, float* to, int count) {
  const Floats d;
  if (count >= static_cast<int>(hn::Lanes(d))) {
    hn::StoreU(x, d, to);
    return;
  }
  HWY_ALIGN float lane[num::kLane];
  hn::Store(x, d, lane);
  for (int i = 0; i < count; ++i) {
    to[i] = lane[i];
  }
}

}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // OA_ATTENTION_KERNEL_SOME_INL_H_
