#include "oa/attention/kernel/delta/triangle.h"

#include "oa/attention/kernel/heads.h"
#include "oa/num/gemm.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so behind foreach_target.h
#include "oa/attention/kernel/partial_load-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

// These loops must be unrolled completely: an array of vectors indexed at run time is
// in memory, not in registers.
#define OA_UNROLL _Pragma("GCC unroll 8")

// Rows first .. first + kRows - 1 of a solve, which depend on each other only.
template <int kRows, bool kTransposed>
HWY_INLINE HWY_ATTR void solve_rows(
    num::ConstView m, num::ConstView b, num::View x, num::View u, int first) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int j = 0; j < x.stride; j += lanes) {
    Vector done[kRows];
    OA_UNROLL for (int step = 0; step < kRows; ++step) {
      const int i = kTransposed ? kRows - 1 - step : step;
      auto sum = hn::Load(d, x.row(first + i) + j);
      OA_UNROLL for (int before = 0; before < step; ++before) {
        const int l = kTransposed ? kRows - 1 - before : before;
        const float factor =
            kTransposed ? m(first + l, first + i) : m(first + i, first + l);
        sum = hn::NegMulAdd(hn::Set(d, factor), done[l], sum);
      }
      hn::Store(sum, d, x.row(first + i) + j);
      done[i] = hn::Mul(sum, hn::Load(d, b.row(first + i) + j));
      hn::Store(done[i], d, u.row(first + i) + j);
    }
  }
}

template <bool kTransposed>
HWY_INLINE HWY_ATTR void solve_some_rows(
    num::ConstView m, num::ConstView b, num::View x, num::View u, int first, int rows) {
  switch (rows) {
    case 8: return solve_rows<8, kTransposed>(m, b, x, u, first);
    case 7: return solve_rows<7, kTransposed>(m, b, x, u, first);
    case 6: return solve_rows<6, kTransposed>(m, b, x, u, first);
    case 5: return solve_rows<5, kTransposed>(m, b, x, u, first);
    case 4: return solve_rows<4, kTransposed>(m, b, x, u, first);
    case 3: return solve_rows<3, kTransposed>(m, b, x, u, first);
    case 2: return solve_rows<2, kTransposed>(m, b, x, u, first);
    default: return solve_rows<1, kTransposed>(m, b, x, u, first);
  }
}

#undef OA_UNROLL

HWY_ATTR void solve_block(
    num::ConstView m, num::ConstView b, num::View x, num::View u, int first, int rows) {
  solve_some_rows<false>(m, b, x, u, first, rows);
}

HWY_ATTR void solve_block_transposed(
    num::ConstView m, num::ConstView b, num::View y, num::View z, int first, int rows) {
  solve_some_rows<true>(m, b, y, z, first, rows);
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(solve_block);
HWY_EXPORT(solve_block_transposed);

// The most rows that solve_block() takes.
constexpr int kSolveRows = 8;

}  // namespace

using num::ConstView;
using num::View;

void solve_lower(ConstView m, ConstView b, View x, View u) {
  assert(m.rows == x.rows && same_shape(x, u) && same_shape(x, b));
  for (int first = 0; first < x.rows; first += kSolveRows) {
    const int rows = std::min(kSolveRows, x.rows - first);
    if (first > 0) {
      num::matmul_add(columns(row_block(m, first, rows), 0, first),
                      u.top(first),
                      row_block(x, first, rows),
                      -1.0F);
    }
    HWY_DYNAMIC_DISPATCH(solve_block)(m, b, x, u, first, rows);
  }
}

void solve_lower_transposed(ConstView m, ConstView b, View y, View z) {
  assert(m.rows == y.rows && same_shape(y, z) && same_shape(y, b));
  const int last = (y.rows - 1) / kSolveRows * kSolveRows;
  for (int first = last; first >= 0; first -= kSolveRows) {
    const int rows = std::min(kSolveRows, y.rows - first);
    const int end = first + rows;
    if (end < y.rows) {
      num::matmul_transposed_add(columns(row_block(m, end, y.rows - end), first, rows),
                                 row_block(ConstView(z), end, y.rows - end),
                                 row_block(y, first, rows),
                                 -1.0F);
    }
    HWY_DYNAMIC_DISPATCH(solve_block_transposed)(m, b, y, z, first, rows);
  }
}

void keep_lower(int kept, View x) {
  for (int i = 0; i < x.rows; ++i) {
    const int from = std::min(i + kept, x.cols);
    std::fill(x.row(i) + from, x.row(i) + x.cols, 0.0F);
  }
}

}  // namespace oa::attention
#endif
