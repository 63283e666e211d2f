// Products of a few rows in registers, for kernels that Highway compiles for each
// instruction set.
// Kernels include this file after <hwy/foreach_target.h>, once for each target.
#include "oa/num/matrix.h"

#include <cstddef>

#include <hwy/highway.h>

#if defined(OA_NUM_REGISTER_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_NUM_REGISTER_TILE_INL_H_
#undef OA_NUM_REGISTER_TILE_INL_H_
#else
#define OA_NUM_REGISTER_TILE_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace oa::num::HWY_NAMESPACE::register_tile {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, kLane>;

// A tile is kRows x (kVectors vectors), held in registers for all k:
// 6 x 4 and a row of b take 28 of 32 registers, 6 x 2 take 14 of 16.
inline constexpr int kRows = 6;
#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64
inline constexpr int kVectors = 4;
#else
inline constexpr int kVectors = 2;
#endif

#ifndef OA_UNROLL
// Unrolls loops completely, so that arrays of vectors stay in registers.
#define OA_UNROLL _Pragma("GCC unroll 16")
#endif

/// Computes sum = a b for V vectors of each row of b, which is aligned.
/// Element (i,k) of the left factor is a[i * a_row + k * a_col].
template <int R, int V>
HWY_INLINE HWY_ATTR void multiply_rows(const float* a,
                                       std::ptrdiff_t a_row,
                                       std::ptrdiff_t a_col,
                                       const float* b,
                                       std::ptrdiff_t b_stride,
                                       int depth,
                                       hn::Vec<Floats> (&sum)[R][V]) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  OA_UNROLL for (int r = 0; r < R; ++r) {
    OA_UNROLL for (int v = 0; v < V; ++v) {
      sum[r][v] = hn::Zero(d);
    }
  }
  for (int k = 0; k < depth; ++k, a += a_col, b += b_stride) {
    hn::Vec<Floats> line[V];
    OA_UNROLL for (int v = 0; v < V; ++v) {
      line[v] = hn::Load(d, b + v * lanes);
    }
    OA_UNROLL for (int r = 0; r < R; ++r) {
      const auto left = hn::Set(d, a[r * a_row]);
      OA_UNROLL for (int v = 0; v < V; ++v) {
        sum[r][v] = hn::MulAdd(left, line[v], sum[r][v]);
      }
    }
  }
}

}  // namespace oa::num::HWY_NAMESPACE::register_tile
HWY_AFTER_NAMESPACE();

#endif  // OA_NUM_REGISTER_TILE_INL_H_
