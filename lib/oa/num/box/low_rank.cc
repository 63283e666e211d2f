#include "oa/num/box/low_rank.h"

#include "oa/num/box/block.h"
#include "oa/num/box/face.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>

#ifndef OA_NUM_BOX_LOW_RANK_PROBLEM  // once, not once per target
#define OA_NUM_BOX_LOW_RANK_PROBLEM
namespace oa::num {
namespace {

struct LowRankProblem {
  ConstView transposed;  // the factor: one column a coordinate
  float scale;
  const float* inverse;  // of the curvatures J_kk
  DescentSettings settings;
  BoxFace& face;
  View face_rows;  // columns of the coordinates inside the box
  View column;     // the column of the current coordinate
};

// The state of one row of x.
struct LowRankRow {
  float* x;
  float* g;
  View sum;   // of columns, times x
  View seen;  // for each block: `sum` when its g was last computed
  int cols;
};

}  // namespace
}  // namespace oa::num
#endif

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so after foreach_target.h
#include "oa/num/box/sweep-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::num::HWY_NAMESPACE {
namespace {

using box::Floats;

// Adds `by` * sum' transposed to g for columns at .. at + count - 1, in whole vectors.
HWY_ATTR void add_products(
    ConstView transposed, const float* sum, float by, int at, int count, float* g) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto scale = hn::Set(d, by);
  int k = at;
  // Four independent sums hide the latency of additions.
  for (; k + 3 * lanes < at + count; k += 4 * lanes) {
    auto s0 = hn::Zero(d);
    auto s1 = hn::Zero(d);
    auto s2 = hn::Zero(d);
    auto s3 = hn::Zero(d);
    for (int i = 0; i < transposed.rows; ++i) {
      const float* const row = transposed.row(i) + k;
      const auto factor = hn::Set(d, sum[i]);
      s0 = hn::MulAdd(factor, hn::Load(d, row), s0);
      s1 = hn::MulAdd(factor, hn::Load(d, row + lanes), s1);
      s2 = hn::MulAdd(factor, hn::Load(d, row + 2 * lanes), s2);
      s3 = hn::MulAdd(factor, hn::Load(d, row + 3 * lanes), s3);
    }
    float* const to = g + k;
    hn::Store(hn::MulAdd(scale, s0, hn::Load(d, to)), d, to);
    hn::Store(hn::MulAdd(scale, s1, hn::Load(d, to + lanes)), d, to + lanes);
    hn::Store(hn::MulAdd(scale, s2, hn::Load(d, to + 2 * lanes)), d, to + 2 * lanes);
    hn::Store(hn::MulAdd(scale, s3, hn::Load(d, to + 3 * lanes)), d, to + 3 * lanes);
  }
  for (; k < at + count; k += lanes) {
    auto s = hn::Zero(d);
    for (int i = 0; i < transposed.rows; ++i) {
      s = hn::MulAdd(hn::Set(d, sum[i]), hn::Load(d, transposed.row(i) + k), s);
    }
    hn::Store(hn::MulAdd(scale, s, hn::Load(d, g + k)), d, g + k);
  }
}

// Updates g of a block by the moves since the last update.  The error shrinks with the
// moves, so sweeps converge; recomputing g would change it by rounding each time.
HWY_ATTR void update_block(const LowRankProblem& p,
                           int at,
                           int count,
                           const LowRankRow& row) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  float* const seen = row.seen.row(at / kBoxBlock);
  for (int c = 0; c < row.sum.cols; c += lanes) {
    const auto sum = hn::Load(d, row.sum.data + c);
    hn::Store(hn::Sub(sum, hn::Load(d, seen + c)), d, seen + c);
  }
  add_products(p.transposed, seen, p.scale, at, count, row.g);
  std::copy_n(row.sum.data, row.sum.stride, seen);
}

void gather_column(ConstView transposed, int i, float* column) {
  for (int c = 0; c < transposed.rows; ++c) {
    column[c] = transposed(c, i);
  }
}

// Moves each coordinate of a block to the minimum along its axis, in order.
// Returns the number of coordinates that moved.
HWY_ATTR int sweep_block(const LowRankProblem& p,
                         int at,
                         int count,
                         const LowRankRow& row) {
  update_block(p, at, count, row);
  std::uint64_t bits =
      box::movers(row.x + at, row.g + at, p.inverse + at, p.settings.tolerance, count);
  const int moves = std::popcount(bits);
  for (; bits != 0; bits &= bits - 1) {
    const int i = at + std::countr_zero(bits);
    const auto goal = box::minimum(row.x[i], row.g[i], p.inverse[i]);
    const auto step = hn::Sub(goal, hn::Set(Floats(), row.x[i]));
    row.x[i] = hn::GetLane(goal);
    gather_column(p.transposed, i, p.column.data);
    box::add_row(p.column.data, step, p.column.cols, row.sum.data);
    add_products(
        p.transposed, p.column.data, p.scale * hn::GetLane(step), at, count, row.g);
  }
  std::copy_n(row.sum.data, row.sum.stride, row.seen.row(at / kBoxBlock));
  return moves;
}

// Moves the coordinates inside the box to their joint minimum.
HWY_ATTR void move_inside(const LowRankProblem& p, const LowRankRow& row) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  BoxFace& face = p.face;
  face.list(row.x, row.cols);
  float gradient[BoxFace::kMax];
  for (int k = 0; k < face.size(); ++k) {
    const int i = face.index(k);
    const float* const seen = row.seen.row(i / kBoxBlock);
    float* const column = p.face_rows.row(k);
    gather_column(p.transposed, i, column);
    auto product = hn::Zero(d);
    for (int c = 0; c < row.sum.cols; c += lanes) {
      const auto change = hn::Sub(hn::Load(d, row.sum.data + c), hn::Load(d, seen + c));
      product = hn::MulAdd(hn::Load(d, column + c), change, product);
    }
    gradient[k] = row.g[i] + p.scale * hn::GetLane(hn::SumOfLanes(d, product));
  }
  face.take(p.face_rows, p.scale, row.x, gradient);
  face.minimize();
  for (int k = 0; k < face.size(); ++k) {
    float& x = row.x[face.index(k)];
    box::add_row(
        p.face_rows.row(k), hn::Set(d, face.at(k) - x), row.sum.cols, row.sum.data);
    x = face.at(k);
  }
}

// Sweeps over a row until no coordinate moves.
HWY_ATTR void descend_low_rank(const LowRankProblem& p, const LowRankRow& row) {
  int moves = 1;
  for (int s = 0; s < p.settings.sweeps && moves > 0; ++s) {
    moves = 0;
    for (int at = 0; at < row.cols; at += kBoxBlock) {
      moves += sweep_block(p, at, std::min(kBoxBlock, row.cols - at), row);
    }
    if (moves > 0) {
      move_inside(p, row);
    }
  }
  for (int at = 0; at < row.cols && moves > 0; at += kBoxBlock) {
    update_block(p, at, std::min(kBoxBlock, row.cols - at), row);
  }
}

HWY_ATTR void inverse_curvatures(ConstView transposed, float scale, float* inverse) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int k = 0; k < transposed.cols; k += lanes) {
    auto sum = hn::Zero(d);
    for (int i = 0; i < transposed.rows; ++i) {
      const auto v = hn::Load(d, transposed.row(i) + k);
      sum = hn::MulAdd(v, v, sum);
    }
    const auto curvature = hn::Mul(sum, hn::Set(d, scale));
    hn::Store(hn::IfThenElse(hn::Gt(curvature, hn::Set(d, kNoCurvature)),
                             hn::Div(hn::Set(d, 1.0F), curvature),
                             hn::Set(d, kInverseOfNone)),
              d,
              inverse + k);
  }
}

}  // namespace
}  // namespace oa::num::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::num {
namespace {

HWY_EXPORT(descend_low_rank);
HWY_EXPORT(inverse_curvatures);

}  // namespace

void box_qp_descent_low_rank(ConstView transposed,
                             float scale,
                             ConstView h,
                             const DescentSettings& settings,
                             View x,
                             View g) {
  const int m = transposed.cols;
  Buffer inverse(static_cast<std::size_t>(padded(m)));
  HWY_DYNAMIC_DISPATCH(inverse_curvatures)(transposed, scale, inverse.data());
  const auto face = std::make_unique_for_overwrite<BoxFace>();
  Matrix face_rows(BoxFace::kMax, transposed.rows);
  Matrix column(1, transposed.rows);
  const LowRankProblem problem{
      transposed, scale, inverse.data(), settings, *face, face_rows, column};
  Matrix sum(1, transposed.rows);
  Matrix seen((m + kBoxBlock - 1) / kBoxBlock, transposed.rows);
  for (int i = 0; i < x.rows; ++i) {
    fill(sum, 0.0F);
    fill(seen, 0.0F);
    std::fill_n(x.row(i), padded(m), 0.0F);
    std::copy_n(h.row(i), padded(m), g.row(i));
    const int cols = settings.causal ? std::min(i + 1, m) : m;
    HWY_DYNAMIC_DISPATCH(descend_low_rank)
    (problem, {x.row(i), g.row(i), sum, seen, cols});
  }
}

}  // namespace oa::num
#endif
