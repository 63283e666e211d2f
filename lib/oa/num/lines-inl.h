// Vector types for loops over Line (simd.h).  Kernels include this file after
// <hwy/foreach_target.h>, once for each instruction set.
#include "oa/num/simd.h"

#include <hwy/highway.h>

#if defined(OA_NUM_LINES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_NUM_LINES_INL_H_
#undef OA_NUM_LINES_INL_H_
#else
#define OA_NUM_LINES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace oa::num::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

namespace float_lines {

using D = HWY_CAPPED(float, kFloatLine);
using V = hn::Vec<D>;
constexpr D d;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));

HWY_INLINE HWY_ATTR V load(const float* p) {
  return hn::Load(d, p);
}

HWY_INLINE HWY_ATTR V load(const FloatLine& line, int l) {
  return hn::Load(d, line.lane + l);
}

}  // namespace float_lines

namespace double_lines {

using D = HWY_CAPPED(double, kLine);
using V = hn::Vec<D>;
constexpr D d;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));

HWY_INLINE HWY_ATTR V load(const double* p) {
  return hn::Load(d, p);
}

}  // namespace double_lines
}  // namespace oa::num::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
