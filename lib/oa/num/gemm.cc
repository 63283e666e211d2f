#include "oa/num/gemm.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#ifndef OA_NUM_GEMM_TILE  // once, not once per target
#define OA_NUM_GEMM_TILE
namespace oa::num {
namespace {

// Floats that fit into the L1 and L2 caches.
constexpr std::int64_t kNearestFloats = 1 << 13;
constexpr std::int64_t kNearFloats = 1 << 16;

// The operands of a tile.
// Element (i,k) of the left factor is a[i * a_row + k * a_col].
struct Tile {
  const float* a;
  std::ptrdiff_t a_row;
  std::ptrdiff_t a_col;
  const float* b;
  std::ptrdiff_t b_stride;
  float* c;
  std::ptrdiff_t c_stride;
  const float* start;  // initial values of c; null: zeros
  std::ptrdiff_t start_stride;
  int depth;
  float scale;
};

}  // namespace
}  // namespace oa::num
#endif

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so after foreach_target.h
#include "oa/num/register_tile-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::num::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using register_tile::Floats;
using register_tile::kRows;
using register_tile::kVectors;

// A single vector has twice as many rows, or it would wait for its multiply-adds.
constexpr int kTallRows = 2 * kRows;

template <int R, int V>
HWY_ATTR void multiply_tile(const Tile& t) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  hn::Vec<Floats> sum[R][V];
  register_tile::multiply_rows(t.a, t.a_row, t.a_col, t.b, t.b_stride, t.depth, sum);
  const auto scale = hn::Set(d, t.scale);
  float* c = t.c;
  const std::ptrdiff_t c_stride = t.c_stride;
  if (const float* start = t.start; start != nullptr) {
    const std::ptrdiff_t start_stride = t.start_stride;
    OA_UNROLL for (int r = 0; r < R; ++r, c += c_stride, start += start_stride) {
      OA_UNROLL for (int v = 0; v < V; ++v) {
        const auto before = hn::Load(d, start + v * lanes);
        hn::Store(hn::MulAdd(scale, sum[r][v], before), d, c + v * lanes);
      }
    }
    return;
  }
  OA_UNROLL for (int r = 0; r < R; ++r, c += c_stride) {
    OA_UNROLL for (int v = 0; v < V; ++v) {
      hn::Store(hn::Mul(scale, sum[r][v]), d, c + v * lanes);
    }
  }
}

using TileFunction = void (*)(const Tile&);

template <int... I>
constexpr std::array<TileFunction, sizeof...(I)> tile_functions(
    std::integer_sequence<int, I...> /*all*/) {
  return {&multiply_tile<I / kVectors + 1, I % kVectors + 1>...};
}
template <int... I>
constexpr std::array<TileFunction, sizeof...(I)> tall_functions(
    std::integer_sequence<int, I...> /*all*/) {
  return {&multiply_tile<I + 1, 1>...};
}

// Tile functions, indexed by rows - 1 and vectors - 1; tall ones by rows - 1.
constexpr auto kTiles =
    tile_functions(std::make_integer_sequence<int, kRows * kVectors>());
constexpr auto kTallTiles =
    tall_functions(std::make_integer_sequence<int, kTallRows>());

// Computes c, which has `rows` x `width` floats.
HWY_ATTR void product(const Tile& whole, int rows, int width) {
  const int lanes = static_cast<int>(hn::Lanes(Floats()));
  const int vectors = (width + lanes - 1) / lanes;
  const int most = vectors == 1 ? kTallRows : kRows;
  // Spreads rows evenly, 49 = 4 * 6 + 5 * 5:
  // a tile of one row would wait for the latency of its multiply-adds.
  const int bands = (rows + most - 1) / most;
  const int least = rows / std::max(bands, 1);
  const int larger = rows - bands * least;  // bands with a row more
  const auto multiply = [&](int band, int v) HWY_ATTR {
    const int first = band * least + std::min(band, larger);
    const int count = least + (band < larger ? 1 : 0);
    const int some = std::min(kVectors, vectors - v);
    Tile t = whole;
    t.a += first * t.a_row;
    t.b += v * lanes;
    t.c += first * t.c_stride + v * lanes;
    if (t.start != nullptr) {
      t.start += first * t.start_stride + v * lanes;
    }
    if (count > kRows) {
      kTallTiles[static_cast<std::size_t>(count - 1)](t);
    } else {
      kTiles[static_cast<std::size_t>((count - 1) * kVectors + some - 1)](t);
    }
  };
  const std::int64_t size = std::int64_t{whole.depth} * width;
  const bool c_near = std::int64_t{rows} * width <= kNearFloats;
  if (size <= kNearestFloats || (size <= kNearFloats && !c_near)) {
    // Writes c row by row.
    for (int band = 0; band < bands; ++band) {
      for (int v = 0; v < vectors; v += kVectors) {
        multiply(band, v);
      }
    }
    return;
  }
  for (int v = 0; v < vectors; v += kVectors) {
    for (int band = 0; band < bands; ++band) {
      multiply(band, v);
    }
  }
}

// Transposes blocks of 4 x 4 in registers, remaining elements one by one.
// Writes rows of t with their padding.
HWY_ATTR void transpose_blocks(ConstView a, View t) {
#if HWY_TARGET == HWY_SCALAR
  const int full_rows = 0;
#else
  const hn::FixedTag<float, 4> d;
  const int full_rows = a.rows / 4 * 4;
  const int wide = a.cols / 4 * 4;
  for (int i = 0; i < full_rows; i += 4) {
    for (int j = 0; j < wide; j += 4) {
      const auto r0 = hn::LoadU(d, a.row(i) + j);
      const auto r1 = hn::LoadU(d, a.row(i + 1) + j);
      const auto r2 = hn::LoadU(d, a.row(i + 2) + j);
      const auto r3 = hn::LoadU(d, a.row(i + 3) + j);
      const auto even_low = hn::InterleaveLower(d, r0, r2);   // 00 20 01 21
      const auto even_high = hn::InterleaveUpper(d, r0, r2);  // 02 22 03 23
      const auto odd_low = hn::InterleaveLower(d, r1, r3);
      const auto odd_high = hn::InterleaveUpper(d, r1, r3);
      hn::StoreU(hn::InterleaveLower(d, even_low, odd_low), d, t.row(j) + i);
      hn::StoreU(hn::InterleaveUpper(d, even_low, odd_low), d, t.row(j + 1) + i);
      hn::StoreU(hn::InterleaveLower(d, even_high, odd_high), d, t.row(j + 2) + i);
      hn::StoreU(hn::InterleaveUpper(d, even_high, odd_high), d, t.row(j + 3) + i);
    }
    for (int j = wide; j < a.cols; ++j) {
      for (int r = 0; r < 4; ++r) {
        t(j, i + r) = a(i + r, j);
      }
    }
  }
#endif
  for (int j = 0; j < a.cols; ++j) {
    for (int i = full_rows; i < a.rows; ++i) {
      t(j, i) = a(i, j);
    }
    std::fill(t.row(j) + a.rows, t.row(j) + t.stride, 0.0F);
  }
}

}  // namespace
}  // namespace oa::num::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::num {
namespace {

HWY_EXPORT(product);
HWY_EXPORT(transpose_blocks);

/// Computes c = scale * a b, plus `start` if it has data; its rows may be the same.
/// If `transposed`, a' replaces a.
void multiply(ConstView a,
              bool transposed,
              ConstView b,
              View c,
              float scale,
              const float* start,
              std::ptrdiff_t start_stride) {
  assert((transposed ? a.rows : a.cols) == b.rows && c.cols == b.cols);
  assert(c.rows == (transposed ? a.cols : a.rows));
  HWY_DYNAMIC_DISPATCH(product)
  ({.a = a.data,
    .a_row = transposed ? 1 : a.stride,
    .a_col = transposed ? a.stride : 1,
    .b = b.data,
    .b_stride = b.stride,
    .c = c.data,
    .c_stride = c.stride,
    .start = start,
    .start_stride = start_stride,
    .depth = b.rows,
    .scale = scale},
   c.rows,
   c.cols);
}

}  // namespace

void matmul(
    ConstView a, ConstView b, View c, float scale, std::span<const float> bias) {
  assert(bias.empty() || static_cast<int>(bias.size()) >= padded(c.cols));
  multiply(a, false, b, c, scale, bias.empty() ? nullptr : bias.data(), 0);
}

void matmul_add(ConstView a, ConstView b, View c, float scale) {
  multiply(a, false, b, c, scale, c.data, c.stride);
}

void matmul_transposed_add(ConstView a, ConstView b, View c, float scale) {
  multiply(a, true, b, c, scale, c.data, c.stride);
}

void transpose(ConstView a, View t) {
  assert(t.rows == a.cols && t.cols == a.rows);
  HWY_DYNAMIC_DISPATCH(transpose_blocks)(a, t);
}

}  // namespace oa::num
#endif
