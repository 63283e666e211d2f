// Gradients of logits in register tiles, and sums over rows; letters as in fused.h.
// Kernels include this file once for each instruction set.
#if defined(OA_ATTENTION_KERNEL_FUSED_SLOPE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_ATTENTION_KERNEL_FUSED_SLOPE_INL
#undef OA_ATTENTION_KERNEL_FUSED_SLOPE_INL
#else
#define OA_ATTENTION_KERNEL_FUSED_SLOPE_INL
#endif

#include "survey/kernel/fused/panels-inl.h"
#include "survey/kernel/fused/product-inl.h"

#include <array>
#include <utility>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace slopes {

namespace hn = hwy::HWY_NAMESPACE;
using tile::Floats;
using tile::lanes;

// The rows of a tile against the keys of a panel: weights, then gradients of logits.
struct Slope {
  const float* q;
  const float* d_o;
  std::ptrdiff_t stride;  // of q and d_o
  const float* kt;
  const float* vt;
  std::ptrdiff_t panel;
  int depth;
  const float* minus_log;
  const float* minus_d;
  float* p;
  float* ds;
  std::ptrdiff_t p_stride;
  const std::uint64_t* masks;
  std::ptrdiff_t masks_stride;

  // Advances by `rows` rows.
  HWY_INLINE void skip(int rows) {
    q += rows * stride;
    d_o += rows * stride;
    minus_log += rows;
    minus_d += rows;
    p += rows * p_stride;
    ds += rows * p_stride;
    masks += rows * masks_stride;
  }
};

// Computes p = 2^(q k - log), 0 where masked, and ds = p (d_o v - d).
template <int R, bool Masked>
void slope(const Slope& t) {
  constexpr int kVectors = tile::kVectors;
  const Floats d;
  tile::Vector s[R][kVectors];
  tile::dot(t.q, t.stride, t.kt, t.panel, t.depth, t.minus_log, s);
  OA_UNROLL for (int r = 0; r < R; ++r) {
    OA_UNROLL for (int v = 0; v < kVectors; ++v) {
      auto p = exp2_below_128(Floats(), s[r][v]);
      if constexpr (Masked) {
        const auto mask = tile::allowed(t.masks[r * t.masks_stride] >> (v * lanes()));
        p = hn::IfThenElseZero(mask, p);
      }
      hn::StoreU(p, d, t.p + r * t.p_stride + v * lanes());
    }
  }
  tile::dot(t.d_o, t.stride, t.vt, t.panel, t.depth, t.minus_d, s);
  OA_UNROLL for (int r = 0; r < R; ++r) {
    OA_UNROLL for (int v = 0; v < kVectors; ++v) {
      const auto p = hn::LoadU(d, t.p + r * t.p_stride + v * lanes());
      auto ds = hn::Mul(p, s[r][v]);
      if constexpr (Masked) {  // values that are not finite must not count
        ds = hn::IfThenZeroElse(hn::Eq(p, hn::Zero(d)), ds);
      }
      hn::StoreU(ds, d, t.ds + r * t.p_stride + v * lanes());
    }
  }
}

using SlopeFunction = void (*)(const Slope&);
template <bool Masked>
inline constexpr auto kSlopes = tile::function_table<SlopeFunction, tile::kRows>(
    [](auto i) -> SlopeFunction { return &slope<i + 1, Masked>; });

// Adds factor * from to `to`.
inline void add_row(const float* from, float factor, int count, float* to) {
  const Floats d;
  int i = 0;
  for (; i + lanes() <= count; i += lanes()) {
    hn::StoreU(
        hn::MulAdd(hn::Set(d, factor), hn::LoadU(d, from + i), hn::LoadU(d, to + i)),
        d,
        to + i);
  }
  for (; i < count; ++i) {
    to[i] += factor * from[i];
  }
}

// Returns the sum of a[i] * b[i].
inline float dot_rows(const float* a, const float* b, int count) {
  const Floats d;
  auto sum = hn::Zero(d);
  int i = 0;
  for (; i + lanes() <= count; i += lanes()) {
    sum = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), sum);
  }
  float rest = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < count; ++i) {
    rest += a[i] * b[i];
  }
  return rest;
}

}  // namespace slopes

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
