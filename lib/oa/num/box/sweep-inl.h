// Parts of a sweep of coordinate descent over a box QP,
// for kernels that Highway compiles for each instruction set.  Kernels include this
// file after <hwy/foreach_target.h>, once for each instruction set.
#include "oa/num/matrix.h"

#include <cstdint>

#include <hwy/highway.h>

#if defined(OA_NUM_BOX_SWEEP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_NUM_BOX_SWEEP_INL_H_
#undef OA_NUM_BOX_SWEEP_INL_H_
#else
#define OA_NUM_BOX_SWEEP_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace oa::num::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

namespace box {

using Floats = hn::CappedTag<float, kLane>;
using Vector = hn::Vec<Floats>;

HWY_INLINE HWY_ATTR Vector clamp01(Vector v) {
  const Floats d;
  return hn::Min(hn::Max(v, hn::Zero(d)), hn::Set(d, 1.0F));
}

// Returns the minimum along a coordinate's axis in all lanes of a vector:
// clamping a scalar would compile to unpredictable branches.
HWY_INLINE HWY_ATTR Vector minimum(float x, float g, float inverse) {
  const Floats d;
  return clamp01(hn::NegMulAdd(hn::Set(d, g), hn::Set(d, inverse), hn::Set(d, x)));
}

// Returns a bit mask of the coordinates of a block from x that would move by
// more than `tolerance`.
HWY_INLINE HWY_ATTR std::uint64_t movers(
    const float* x, const float* g, const float* inverse, float tolerance, int count) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  std::uint64_t all = 0;
  for (int k = 0; k < count; k += lanes) {
    const auto old = hn::Load(d, x + k);
    const auto goal =
        clamp01(hn::NegMulAdd(hn::Load(d, g + k), hn::Load(d, inverse + k), old));
    const auto far = hn::Gt(hn::Abs(hn::Sub(goal, old)), hn::Set(d, tolerance));
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, far, bits);
    all |= (bits[0] | std::uint64_t{bits[1]} << 8) << k;
  }
  return all;
}

// Adds `by` * row to sums, in whole vectors of `width` floats.
HWY_INLINE HWY_ATTR void add_row(const float* row, Vector by, int width, float* sums) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int k = 0; k < width; k += lanes) {
    hn::Store(hn::MulAdd(by, hn::Load(d, row + k), hn::Load(d, sums + k)), d, sums + k);
  }
}

}  // namespace box

}  // namespace oa::num::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
