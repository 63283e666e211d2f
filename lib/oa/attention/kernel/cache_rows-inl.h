// How rows of a cache of keys and values are read; included once for each instruction
// set, by kernels.
#if defined(OA_ATTENTION_KERNEL_CACHE_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_ATTENTION_KERNEL_CACHE_ROWS_INL
#undef OA_ATTENTION_KERNEL_CACHE_ROWS_INL
#else
#define OA_ATTENTION_KERNEL_CACHE_ROWS_INL
#endif

#include "oa/attention/kernel/exponent-inl.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

// These loops must be unrolled completely: an array of vectors that is indexed at run
// time lies in memory, not in registers.
#ifndef OA_UNROLL
#define OA_UNROLL _Pragma("GCC unroll 16")
#endif

namespace cache {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Floats>;
using Halves = hn::Rebind<hwy::float16_t, Floats>;

HWY_INLINE int lanes() {
  return static_cast<int>(hn::Lanes(Floats()));
}

HWY_INLINE Vector load(const float* from) {
  return hn::LoadU(Floats(), from);
}

HWY_INLINE Vector load(const std::uint16_t* from) {
  return hn::PromoteTo(
      Floats(), hn::LoadU(Halves(), reinterpret_cast<const hwy::float16_t*>(from)));
}

// The first `count` elements; what lies behind them belongs to others.
template <class Element>
HWY_INLINE Vector load_some(const Element* from, int count) {
  if (count >= lanes()) {
    return load(from);
  }
  Element some[16] = {};
  std::memcpy(some, from, static_cast<std::size_t>(count) * sizeof(Element));
  return load(some);
}

// The sums of four vectors.
HWY_INLINE void store_sums(const Vector (&s)[4], float* to) {
#if HWY_TARGET == HWY_SCALAR
  for (int j = 0; j < 4; ++j) {
    to[j] = hn::GetLane(s[j]);
  }
#else
  const Floats d;
  const hn::Repartition<std::uint64_t, Floats> pairs;
  const auto low = hn::Add(hn::InterleaveLower(d, s[0], s[1]),
                           hn::InterleaveUpper(d, s[0], s[1]));  // 0 1 0 1
  const auto high = hn::Add(hn::InterleaveLower(d, s[2], s[3]),
                            hn::InterleaveUpper(d, s[2], s[3]));  // 2 3 2 3
  const auto a = hn::BitCast(pairs, low);
  const auto b = hn::BitCast(pairs, high);
  const auto fours = hn::Add(hn::BitCast(d, hn::InterleaveLower(pairs, a, b)),
                             hn::BitCast(d, hn::InterleaveUpper(pairs, a, b)));
#if HWY_TARGET <= HWY_AVX3
  const hn::Half<Floats> half;
  const auto eights = hn::Add(hn::LowerHalf(half, fours), hn::UpperHalf(half, fours));
#else
  const auto eights = fours;
#endif
#if HWY_TARGET <= HWY_AVX2
  const hn::FixedTag<float, 4> quarter;
  hn::StoreU(hn::Add(hn::LowerHalf(quarter, eights), hn::UpperHalf(quarter, eights)),
             quarter,
             to);
#else
  hn::StoreU(eights, d, to);
#endif
#endif
}

}  // namespace cache

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
