#include "oa/num/mean_field/scaled_cg.h"

#include "oa/num/gemm.h"

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::num::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, kLane>;

// Starts the iteration: r = p = s b, y = 0 (kept in w), jw = 0, size = |r|^2.
HWY_ATTR void begin(ConstView s,
                    ConstView b,
                    View r,
                    View p,
                    View scaled,
                    View y,
                    View jw,
                    float* size) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < s.rows; ++i) {
    auto sum = hn::Zero(d);
    for (int k = 0; k < s.cols; k += lanes) {
      const auto si = hn::Load(d, s.row(i) + k);
      const auto v = hn::Mul(si, hn::Load(d, b.row(i) + k));
      sum = hn::MulAdd(v, v, sum);
      hn::Store(v, d, r.row(i) + k);
      hn::Store(v, d, p.row(i) + k);
      hn::Store(hn::Mul(si, v), d, scaled.row(i) + k);
      hn::Store(hn::Zero(d), d, y.row(i) + k);
      hn::Store(hn::Zero(d), d, jw.row(i) + k);
    }
    size[i] = hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

// Iterates row i once, given product = J s p.
HWY_ATTR void iterate(const float* s,
                      const float* product,
                      int cols,
                      float* r,
                      float* p,
                      float* scaled,
                      float* y,
                      float* jw,
                      float& size) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto curve = hn::Zero(d);  // p'(I + SJS)p = |p|^2 + (sp)'J(sp)
  for (int k = 0; k < cols; k += lanes) {
    const auto v = hn::Load(d, p + k);
    curve = hn::MulAdd(v, v, curve);
    curve = hn::MulAdd(hn::Load(d, scaled + k), hn::Load(d, product + k), curve);
  }
  const float step = size / hn::GetLane(hn::SumOfLanes(d, curve));
  const auto a = hn::Set(d, step);
  auto sum = hn::Zero(d);
  for (int k = 0; k < cols; k += lanes) {
    const auto v = hn::Load(d, p + k);
    const auto change = hn::Load(d, product + k);
    hn::Store(hn::MulAdd(a, v, hn::Load(d, y + k)), d, y + k);
    hn::Store(hn::MulAdd(a, change, hn::Load(d, jw + k)), d, jw + k);
    const auto ap = hn::MulAdd(hn::Load(d, s + k), change, v);
    const auto left = hn::NegMulAdd(a, ap, hn::Load(d, r + k));
    sum = hn::MulAdd(left, left, sum);
    hn::Store(left, d, r + k);
  }
  const float now = hn::GetLane(hn::SumOfLanes(d, sum));
  const auto b = hn::Set(d, now / size);
  size = now;
  for (int k = 0; k < cols; k += lanes) {
    const auto v = hn::MulAdd(b, hn::Load(d, p + k), hn::Load(d, r + k));
    hn::Store(v, d, p + k);
    hn::Store(hn::Mul(v, hn::Load(d, s + k)), d, scaled + k);
  }
}

HWY_ATTR bool iterate_all(ConstView s,
                          ConstView product,
                          View r,
                          View p,
                          View scaled,
                          View y,
                          View jw,
                          float* size,
                          const float* goal) {
  bool done = true;
  for (int i = 0; i < s.rows; ++i) {
    if (size[i] > goal[i]) {
      iterate(s.row(i),
              product.row(i),
              s.cols,
              r.row(i),
              p.row(i),
              scaled.row(i),
              y.row(i),
              jw.row(i),
              size[i]);
      done = done && size[i] <= goal[i];
    }
  }
  return done;
}

}  // namespace
}  // namespace oa::num::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "oa/num/activation.h"

#include <algorithm>

namespace oa::num {
namespace {

HWY_EXPORT(begin);
HWY_EXPORT(iterate_all);

}  // namespace

ScaledCg::ScaledCg(int n, int m, Arena& arena)
    : residual_(zeros(rows_of_block(n), m, arena)),
      direction_(zeros(residual_.rows, m, arena)),
      scaled_(zeros(residual_.rows, m, arena)),
      product_(zeros(residual_.rows, m, arena)),
      sum_(zeros(residual_.rows, m, arena)),
      between_(room_between(residual_.rows, m, arena)),
      size_(zeros(residual_.rows, arena)),
      goal_(zeros(residual_.rows, arena)) {}

void ScaledCg::solve(const Gram& j,
                     ConstView s,
                     ConstView b,
                     bool causal,
                     const Limits& limits,
                     View w) {
  assert(same_shape(s, b) && same_shape(s, w) && s.cols == j.j.rows);
  for (int first = 0; first < s.rows; first += residual_.rows) {
    const int count = std::min(residual_.rows, s.rows - first);
    const int m = causal ? std::min(s.cols, padded(first + count)) : s.cols;
    const auto part = [&](auto all) {
      return decltype(all){all.row(first), count, m, all.stride};
    };
    solve_block(j.top(m),
                part(s),
                part(b),
                limits,
                part(w),
                {sum_.data, count, m, sum_.stride});
    for (int i = first; i < first + count; ++i) {
      std::fill(w.row(i) + m, w.row(i) + w.cols, 0.0F);
    }
  }
}

void ScaledCg::solve_block(
    const Gram& j, ConstView s, ConstView b, const Limits& limits, View w, View jw) {
  HWY_DYNAMIC_DISPATCH(begin)
  (s, b, residual_, direction_, scaled_, w, jw, size_.data());
  for (std::size_t i = 0; i < goal_.size(); ++i) {
    goal_[i] = limits.tolerance * limits.tolerance * size_[i];
  }
  bool done = false;
  for (int k = 0; !done && k < limits.iterations; ++k) {
    multiply({scaled_.data, s.rows, s.cols, scaled_.stride},
             j,
             between_,
             {product_.data, s.rows, s.cols, product_.stride});
    done = HWY_DYNAMIC_DISPATCH(iterate_all)(
        s, product_, residual_, direction_, scaled_, w, jw, size_.data(), goal_.data());
  }
  multiply(s, w);
}

}  // namespace oa::num
#endif
