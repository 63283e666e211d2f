#include "oa/num/box/qp.h"

#include "oa/num/box/block.h"
#include "oa/num/box/face.h"
#include "oa/num/box/low_rank.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: read once for each target, so after foreach_target.h
#include "oa/num/box/sweep-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::num::HWY_NAMESPACE {
namespace {

using box::Floats;

// Moves each coordinate of a block to the minimum along its axis, in order.  Returns
// the number of coordinates that moved.  First lists all candidates, then recomputes
// each move, so that only one loop has an unpredictable end. x, g and `inverse` begin
// at the block; rows of J have `width` columns, whose gradient begins at `columns`.
HWY_ATTR int sweep_block(const float* j,
                         std::ptrdiff_t stride,
                         int width,
                         const float* inverse,
                         float tolerance,
                         int count,
                         float* x,
                         float* g,
                         float* columns) {
  std::uint64_t bits = box::movers(x, g, inverse, tolerance, count);
  const int moves = std::popcount(bits);
  for (; bits != 0; bits &= bits - 1) {
    const int i = std::countr_zero(bits);
    const auto goal = box::minimum(x[i], g[i], inverse[i]);
    const auto step = hn::Sub(goal, hn::Set(Floats(), x[i]));
    x[i] = hn::GetLane(goal);
    box::add_row(j + i * stride, step, width, columns);
  }
  return moves;
}

// Moves the coordinates inside the box to their joint minimum;
// moving them one by one would take many sweeps.
HWY_ATTR void move_inside(ConstView j, float* x, float* g, BoxFace& face) {
  face.list(x, j.cols);
  float gradient[BoxFace::kMax];
  for (int k = 0; k < face.size(); ++k) {
    gradient[k] = g[face.index(k)];
  }
  face.take(j, x, gradient);
  face.minimize();
  for (int k = 0; k < face.size(); ++k) {
    const int i = face.index(k);
    if (face.at(k) != x[i]) {
      box::add_row(j.row(i), hn::Set(Floats(), face.at(k) - x[i]), j.cols, g);
      x[i] = face.at(k);
    }
  }
}

// Sweeps over the rows from `first` until no coordinate moves.
// Returns the number of moves in first sweeps.  With `face`, minimises jointly inside
// the box after each sweep from the third on; many rows converge earlier.
HWY_ATTR std::int64_t descend(ConstView j,
                              const float* inverse,
                              const DescentSettings& settings,
                              int first,
                              BoxFace* face,
                              View x,
                              View g) {
  std::int64_t first_moves = 0;
  for (int q = 0; q < x.rows; ++q) {
    const int cols = settings.causal ? std::min(first + q + 1, j.cols) : j.cols;
    for (int s = 0; s < settings.sweeps; ++s) {
      int moves = 0;
      for (int at = 0; at < cols; at += kBoxBlock) {
        moves += sweep_block(j.row(at),
                             j.stride,
                             cols,
                             inverse + at,
                             settings.tolerance,
                             std::min(kBoxBlock, cols - at),
                             x.row(q) + at,
                             g.row(q) + at,
                             g.row(q));
      }
      first_moves += s == 0 ? moves : 0;
      if (moves == 0) {
        break;
      }
      if (face != nullptr && s >= 2) {
        move_inside({j.data, cols, cols, j.stride}, x.row(q), g.row(q), *face);
      }
    }
  }
  return first_moves;
}

// Sweeps over one block in all rows, and updates g of this block only.
HWY_ATTR void sweep_blocks(
    ConstView j, const float* inverse, float tolerance, View x, View g) {
  for (int q = 0; q < x.rows; ++q) {
    sweep_block(j.data,
                j.stride,
                j.cols,
                inverse,
                tolerance,
                j.cols,
                x.row(q),
                g.row(q),
                g.row(q));
  }
}

}  // namespace
}  // namespace oa::num::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::num {
namespace {

HWY_EXPORT(descend);
HWY_EXPORT(sweep_blocks);

constexpr int kTried = 8;         // sample of rows that shows how many coordinates move
constexpr int kLong = 256;        // coordinates; longer rows have some in the box
constexpr int kCached = 1 << 16;  // coordinates of the rows processed together

float inverse_curvature(float jj) {
  return jj > kNoCurvature ? 1.0F / jj : kInverseOfNone;
}

View rows(View x, int first, int last) {
  return {x.row(first), last - first, x.cols, x.stride};
}

ConstView rows(ConstView x, int first, int last) {
  return {x.row(first), last - first, x.cols, x.stride};
}

View columns(View x, int first, int count) {
  return {x.data + first, x.rows, count, x.stride};
}

// Does the first sweep from x = 0 for a J of low rank.  A block gets the moves of
// earlier blocks as a product with the factors, and finally the moves of later blocks.
// A product is faster than adding columns of J if most coordinates move.
void first_sweep(
    const Gram& gram, const float* inverse, float tolerance, View x, View g) {
  const ConstView j = gram.j;
  Matrix sums(x.rows, gram.factor.cols);  // of the moves, times the factor
  const auto add_to_gradients = [&](int at, int count) {
    const ConstView transposed{
        gram.transposed.data + at, gram.transposed.rows, count, gram.transposed.stride};
    matmul_add(sums, transposed, columns(g, at, count), gram.scale);
  };
  const auto add_moves = [&](int at, int count) {
    const ConstView factor{
        gram.factor.row(at), count, gram.factor.cols, gram.factor.stride};
    matmul_add(columns(x, at, count), factor, sums);
  };
  for (int at = 0; at < j.cols; at += kBoxBlock) {
    const int count = std::min(kBoxBlock, j.cols - at);
    add_to_gradients(at, count);
    HWY_DYNAMIC_DISPATCH(sweep_blocks)
    ({j.row(at) + at, count, count, j.stride},
     inverse + at,
     tolerance,
     columns(x, at, count),
     columns(g, at, count));
    add_moves(at, count);
  }
  fill(sums, 0.0F);
  for (int at = (j.cols - 1) / kBoxBlock * kBoxBlock; at >= 0; at -= kBoxBlock) {
    const int count = std::min(kBoxBlock, j.cols - at);
    add_to_gradients(at, count);
    add_moves(at, count);
  }
}

}  // namespace

float box_qp_residual(ConstView j, ConstView x, ConstView g) {
  float worst = 0.0F;
  for (int q = 0; q < x.rows; ++q) {
    for (int i = 0; i < x.cols; ++i) {
      const float goal =
          std::clamp(x(q, i) - g(q, i) * inverse_curvature(j(i, i)), 0.0F, 1.0F);
      worst = std::max(worst, std::abs(goal - x(q, i)));
    }
  }
  return worst;
}

void box_qp_descent(
    const Gram& gram, ConstView h, const DescentSettings& settings, View x, View g) {
  assert(h.cols == gram.size() && same_shape(h, x) && same_shape(h, g));
  if (gram.j.rows == 0) {
    box_qp_descent_low_rank(gram.transposed, gram.scale, h, settings, x, g);
    return;
  }
  const ConstView j = gram.j;
  assert(j.rows == j.cols);
  Buffer inverse(static_cast<std::size_t>(j.cols));
  for (int i = 0; i < j.cols; ++i) {
    inverse.span()[static_cast<std::size_t>(i)] = inverse_curvature(j(i, i));
  }
  // If the rank of J is small, many coordinates are inside the box,
  // and sweeps are slow along flat directions.
  const bool has_few = gram.transposed.rows > 0 && 2 * gram.transposed.rows <= j.cols;
  const auto face =
      has_few || j.cols >= kLong ? std::make_unique_for_overwrite<BoxFace>() : nullptr;
  const auto descend_rows = [&](int first, int last, int sweeps) {
    return HWY_DYNAMIC_DISPATCH(descend)(j,
                                         inverse.data(),
                                         {settings.tolerance, sweeps, settings.causal},
                                         first,
                                         face.get(),
                                         rows(x, first, last),
                                         rows(g, first, last));
  };
  // Counts moves in a sample: the last rows, which are the longest of a causal problem.
  // A product takes the time of two columns of J for each column of the factor.
  const int tried =
      gram.low_rank() && x.rows > kTried && settings.sweeps > 0 ? kTried : 0;
  const int others = x.rows - tried;
  bool many = false;
  // Processes rows in groups that fit into the L2 cache.
  const int at_once = std::max(kTried, kCached / j.cols);
  for (int last = x.rows; last > 0;) {
    const int first = last > others ? others : std::max(0, last - at_once);
    const View some = rows(x, first, last);
    fill(some, 0.0F);
    copy(rows(h, first, last), rows(g, first, last));
    if (many) {
      first_sweep(gram, inverse.data(), settings.tolerance, some, rows(g, first, last));
    }
    const std::int64_t moves =
        descend_rows(first, last, settings.sweeps - (many ? 1 : 0));
    many =
        many || (last > others && moves > std::int64_t{2} * tried * gram.factor.cols);
    last = first;
  }
}

}  // namespace oa::num
#endif
