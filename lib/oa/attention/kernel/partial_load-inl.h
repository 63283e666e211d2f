// Loads and stores of a part of a vector, which touch nothing after the part.
// Kernels include this file after <hwy/foreach_target.h>, once for each target.
#include "oa/num/matrix.h"

#include <algorithm>

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

// Loads and stores `count` floats, 0 <= count < lanes. x86 has masked loads and stores
// from AVX2 on; elsewhere Highway's versions touch whole vectors.
#if HWY_TARGET <= HWY_AVX2
HWY_INLINE HWY_ATTR Vector load_first(int count, const float* from) {
  const Floats d;
  return hn::MaskedLoad(hn::FirstN(d, static_cast<size_t>(count)), d, from);
}
HWY_INLINE HWY_ATTR void store_first(Vector x, int count, float* to) {
  const Floats d;
  hn::BlendedStore(x, hn::FirstN(d, static_cast<size_t>(count)), d, to);
}
#else
HWY_INLINE HWY_ATTR Vector load_first(int count, const float* from) {
  HWY_ALIGN float lane[num::kLane] = {};
  std::copy_n(from, count, lane);
  return hn::Load(Floats(), lane);
}
HWY_INLINE HWY_ATTR void store_first(Vector x, int count, float* to) {
  HWY_ALIGN float lane[num::kLane];
  hn::Store(x, Floats(), lane);
  std::copy_n(lane, count, to);
}
#endif

/// Loads the first `count` floats at `from`, then zeros;
/// a full vector if count is larger.
HWY_INLINE HWY_ATTR Vector load_some(const float* from, int count) {
  const Floats d;
  if (count >= static_cast<int>(hn::Lanes(d))) {
    return hn::LoadU(d, from);
  }
  return load_first(std::max(count, 0), from);
}

/// Writes the first `count` floats of x.
HWY_INLINE HWY_ATTR void store_some(Vector x, float* to, int count) {
  const Floats d;
  if (count >= static_cast<int>(hn::Lanes(d))) {
    hn::StoreU(x, d, to);
    return;
  }
  store_first(x, std::max(count, 0), to);
}

}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // OA_ATTENTION_KERNEL_SOME_INL_H_
