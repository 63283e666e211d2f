#include "oa/num/box_qp.h"

#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "oa/num/box_qp.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::num::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, kLane>;
using Vector = hn::Vec<Floats>;

HWY_ATTR Vector clamp01(Vector v) {
  const Floats d;
  return hn::Min(hn::Max(v, hn::Zero(d)), hn::Set(d, 1.0F));
}

// Of the 64 coordinates from x on, those that would move by more than `tolerance`.
HWY_ATTR std::uint64_t movers(
    const float* x, const float* g, const float* inverse, float tolerance, int count) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  std::uint64_t all = 0;
  for (int k = 0; k < count; k += lanes) {
    const auto old = hn::Load(d, x + k);
    const auto goal =
        clamp01(hn::NegMulAdd(hn::Load(d, g + k), hn::Load(d, inverse + k), old));
    const auto far = hn::Gt(hn::Abs(hn::Sub(goal, old)), hn::Set(d, tolerance));
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, far, bits);
    all |= (bits[0] | std::uint64_t{bits[1]} << 8) << k;
  }
  return all;
}

HWY_ATTR void add_column(const float* column, Vector s, int width, float* g) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int k = 0; k < width; k += lanes) {
    hn::Store(hn::MulAdd(s, hn::Load(d, column + k), hn::Load(d, g + k)), d, g + k);
  }
}

// Coordinate i goes to the minimum along its axis.  All lanes compute the same:
// clamping a scalar compiles to branches that cannot be predicted.
HWY_ATTR void move(ConstView j, float inverse, int i, float* x, float* g) {
  const Floats d;
  const auto old = hn::Set(d, x[i]);
  const auto goal = clamp01(hn::NegMulAdd(hn::Set(d, g[i]), hn::Set(d, inverse), old));
  x[i] = hn::GetLane(goal);
  add_column(j.row(i), hn::Sub(goal, old), j.cols, g);
}

// One sweep over one row; false if nothing moved.  The coordinates that move are found
// 64 at a time; how far one moves is computed when its turn comes.  So there is one
// loop whose end is hard to predict, not one for each vector.
HWY_ATTR bool sweep(
    ConstView j, const float* inverse, float tolerance, float* x, float* g) {
  bool moved = false;
  for (int at = 0; at < j.cols; at += 64) {
    const int count = std::min(64, j.cols - at);
    std::uint64_t bits = movers(x + at, g + at, inverse + at, tolerance, count);
    moved |= bits != 0;
    for (; bits != 0; bits &= bits - 1) {
      const int i = at + std::countr_zero(bits);
      move(j, inverse[i], i, x, g);
    }
  }
  return moved;
}

HWY_ATTR void descend(ConstView j,
                      const float* inverse,
                      const DescentSettings& settings,
                      View x,
                      View g) {
  for (int q = 0; q < x.rows; ++q) {
    for (int s = 0; s < settings.sweeps; ++s) {
      if (!sweep(j, inverse, settings.tolerance, x.row(q), g.row(q))) {
        break;
      }
    }
  }
}

}  // namespace
}  // namespace oa::num::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::num {
namespace {

HWY_EXPORT(descend);

// Where a coordinate has no curvature, only the sign of its gradient counts.
float inverse_curvature(float jj) {
  return jj > 1e-12F ? 1.0F / jj : 1e12F;
}

bool is_zero(ConstView x) {
  for (int i = 0; i < x.rows; ++i) {
    if (std::any_of(x.row(i), x.row(i) + x.cols, [](float v) { return v != 0.0F; })) {
      return false;
    }
  }
  return true;
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
    ConstView j, ConstView h, const DescentSettings& settings, View x, View g) {
  assert(j.rows == j.cols && h.cols == j.cols && same_shape(h, x) && same_shape(h, g));
  Buffer inverse(static_cast<std::size_t>(j.cols));
  for (int i = 0; i < j.cols; ++i) {
    inverse.span()[static_cast<std::size_t>(i)] = inverse_curvature(j(i, i));
  }
  copy(h, g);
  if (!is_zero(x)) {
    matmul_add(x, j, g);
  }
  HWY_DYNAMIC_DISPATCH(descend)(j, inverse.data(), settings, x, g);
}

}  // namespace oa::num
#endif
