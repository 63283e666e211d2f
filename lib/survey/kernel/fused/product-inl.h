// Products of weights or their gradients with rows.
// Kernels include this file once for each instruction set.
#if defined(OA_ATTENTION_KERNEL_FUSED_PRODUCT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_ATTENTION_KERNEL_FUSED_PRODUCT_INL
#undef OA_ATTENTION_KERNEL_FUSED_PRODUCT_INL
#else
#define OA_ATTENTION_KERNEL_FUSED_PRODUCT_INL
#endif

#include "survey/kernel/fused/tile-inl.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace tile {

/// Columns of a left factor, and the matching rows of a right factor.
struct Stretch {
  const float* a;
  const float* b;
  int depth;
};

/// c (rows x vectors) += a (rows x depth) b (depth x vectors), summed over stretches.
/// If `first`, c is overwritten.
struct Product {
  std::span<const Stretch> stretches;
  std::ptrdiff_t a_stride;
  std::ptrdiff_t a_step;  ///< from one element of a row to the next
  std::ptrdiff_t b_stride;
  float* c;
  std::ptrdiff_t c_stride;
  bool first;
};

/// sum += a b over stretches, for V vectors of b from a column on.
template <int R, int V>
HWY_INLINE void add_stretches(const Product& t, int column, Vector (&sum)[R][V]) {
  const Floats d;
  for (const Stretch& some : t.stretches) {
    const float* a = some.a;
    const float* b = some.b + column;
    const float* fourth =
        a + 3 * t.a_stride;  // a third address for a would slow down each step
    for (int i = 0; i < some.depth;
         ++i, a += t.a_step, fourth += t.a_step, b += t.b_stride) {
      Vector line[V];
      OA_UNROLL for (int v = 0; v < V; ++v) {
        line[v] = hn::LoadU(d, b + v * lanes());
      }
      OA_UNROLL for (int r = 0; r < R; ++r) {
        const auto left =
            hn::Set(d, r < 3 ? a[r * t.a_stride] : fourth[(r - 3) * t.a_stride]);
        OA_UNROLL for (int v = 0; v < V; ++v) {
          sum[r][v] = hn::MulAdd(left, line[v], sum[r][v]);
        }
      }
    }
  }
}

/// Adds the product to V vectors of c from a column on.
template <int R, int V>
void accumulate(const Product& t, int column) {
  const Floats d;
  float* c = t.c + column;
  Vector sum[R][V];
  OA_UNROLL for (int r = 0; r < R; ++r) {
    OA_UNROLL for (int v = 0; v < V; ++v) {
      sum[r][v] = t.first ? hn::Zero(d) : hn::Load(d, c + r * t.c_stride + v * lanes());
    }
  }
  add_stretches(t, column, sum);
  OA_UNROLL for (int r = 0; r < R; ++r) {
    OA_UNROLL for (int v = 0; v < V; ++v) {
      hn::Store(sum[r][v], d, c + r * t.c_stride + v * lanes());
    }
  }
}

using ProductFunction = void (*)(const Product&, int);

inline constexpr auto kProducts =
    function_table<ProductFunction, kRows * kVectors>([](auto i) -> ProductFunction {
      return &accumulate<i / kVectors + 1, i % kVectors + 1>;
    });

/// Computes `columns` columns, tile by tile.
HWY_INLINE void multiply(const Product& t, int rows, int columns) {
  for (int first = 0; first < columns; first += kVectors * lanes()) {
    const int vectors = std::min(kVectors, (columns - first + lanes() - 1) / lanes());
    const int function = (rows - 1) * kVectors + vectors - 1;
    kProducts[static_cast<std::size_t>(function)](t, first);
  }
}

/// Slow multiply() that skips zeros of a, because their factors may be infinite.
inline void multiply_with_care(const Product& t, int rows, int columns) {
  for (int r = 0; r < rows; ++r) {
    float* c = t.c + r * t.c_stride;
    if (t.first) {
      std::fill(c, c + columns, 0.0F);
    }
    for (const Stretch& some : t.stretches) {
      for (int i = 0; i < some.depth; ++i) {
        const float left = some.a[r * t.a_stride + i * t.a_step];
        for (int j = 0; j < columns && left != 0.0F; ++j) {
          c[j] += left * some.b[i * t.b_stride + j];
        }
      }
    }
  }
}

}  // namespace tile

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
