#include "survey/kernel/scan/triangle.h"

#include "oa/attention/kernel/heads.h"
#include "oa/num/gemm.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so after foreach_target.h
#include "oa/attention/kernel/partial_load-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

// Unrolls loops completely, so that arrays of vectors stay in registers.
#define OA_UNROLL _Pragma("GCC unroll 8")

// Solves rows first .. first + kRows - 1, from which earlier rows were subtracted.
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

// Computes rows first .. first + kRows - 1 of a product.
template <int kRows>
HWY_INLINE HWY_ATTR void multiply_rows_of(num::ConstView p,
                                          num::ConstView u,
                                          num::View o,
                                          int first) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int j = 0; j < o.stride; j += lanes) {
    Vector line[kRows];
    OA_UNROLL for (int i = 0; i < kRows; ++i) {
      line[i] = hn::Load(d, u.row(first + i) + j);
      auto sum = hn::Load(d, o.row(first + i) + j);
      OA_UNROLL for (int l = 0; l <= i; ++l) {
        sum = hn::MulAdd(hn::Set(d, p(first + i, first + l)), line[l], sum);
      }
      hn::Store(sum, d, o.row(first + i) + j);
    }
  }
}

#undef OA_UNROLL

// Calls work.operator()<rows>() for a number of rows from 1 to 8.
template <int kRows = 8, class Work>
HWY_INLINE HWY_ATTR void with_rows(int rows, const Work& work) {
  if constexpr (kRows > 1) {
    if (rows < kRows) {
      return with_rows<kRows - 1>(rows, work);
    }
  }
  work.template operator()<kRows>();
}

HWY_ATTR void multiply_block(
    num::ConstView p, num::ConstView u, num::View o, int first, int rows) {
  with_rows(rows,
            [&]<int kRows>() HWY_ATTR { multiply_rows_of<kRows>(p, u, o, first); });
}

HWY_ATTR void solve_block(
    num::ConstView m, num::ConstView b, num::View x, num::View u, int first, int rows) {
  with_rows(rows,
            [&]<int kRows>() HWY_ATTR { solve_rows<kRows, false>(m, b, x, u, first); });
}

HWY_ATTR void solve_block_transposed(
    num::ConstView m, num::ConstView b, num::View y, num::View z, int first, int rows) {
  with_rows(rows,
            [&]<int kRows>() HWY_ATTR { solve_rows<kRows, true>(m, b, y, z, first); });
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(multiply_block);
HWY_EXPORT(solve_block);
HWY_EXPORT(solve_block_transposed);

// The maximum number of rows in a block.
constexpr int kTriangleRows = 8;

}  // namespace

using num::ConstView;
using num::View;

void solve_lower(ConstView m, ConstView b, View x, View u) {
  assert(m.rows == x.rows && same_shape(x, u) && same_shape(x, b));
  for (int first = 0; first < x.rows; first += kTriangleRows) {
    const int rows = std::min(kTriangleRows, x.rows - first);
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
  const int last = (y.rows - 1) / kTriangleRows * kTriangleRows;
  for (int first = last; first >= 0; first -= kTriangleRows) {
    const int rows = std::min(kTriangleRows, y.rows - first);
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

void add_lower_product(ConstView p, ConstView u, View o) {
  assert(p.rows == o.rows && same_shape(u, o));
  for (int first = 0; first < o.rows; first += kTriangleRows) {
    const int rows = std::min(kTriangleRows, o.rows - first);
    if (first > 0) {
      num::matmul_add(columns(row_block(p, first, rows), 0, first),
                      u.top(first),
                      row_block(o, first, rows));
    }
    HWY_DYNAMIC_DISPATCH(multiply_block)(p, u, o, first, rows);
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
