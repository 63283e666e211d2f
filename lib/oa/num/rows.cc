#include "oa/num/rows.h"

#include <algorithm>
#include <cmath>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::num::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, kLane>;
constexpr float kEpsilon = 1e-5F;

HWY_ATTR float total(hn::Vec<Floats> v) {
  return hn::GetLane(hn::SumOfLanes(Floats(), v));
}

// Returns x[j] - mean and the following numbers; zero beyond the end of the row.
HWY_ATTR hn::Vec<Floats> centred(const float* x, int j, int cols, float mean) {
  const Floats d;
  const auto diff = hn::Sub(hn::Load(d, x + j), hn::Set(d, mean));
  const int left = cols - j;
  return left >= static_cast<int>(hn::Lanes(d))
             ? diff
             : hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(left)), diff);
}

HWY_ATTR void norm_forward(ConstView x,
                           const float* gain,
                           const float* shift,
                           View unit,
                           float* rstd,
                           View y) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const float inverse = 1.0F / static_cast<float>(x.cols);
  for (int i = 0; i < x.rows; ++i) {
    const float* in = x.row(i);
    auto sum = hn::Zero(d);
    for (int j = 0; j < x.cols; j += lanes) {
      sum = hn::Add(sum, hn::Load(d, in + j));
    }
    const float mean = total(sum) * inverse;
    auto square = hn::Zero(d);
    for (int j = 0; j < x.cols; j += lanes) {
      const auto diff = centred(in, j, x.cols, mean);
      square = hn::MulAdd(diff, diff, square);
    }
    const float r = 1.0F / std::sqrt(total(square) * inverse + kEpsilon);
    rstd[i] = r;
    const auto scale = hn::Set(d, r);
    for (int j = 0; j < x.cols; j += lanes) {
      const auto u = hn::Mul(centred(in, j, x.cols, mean), scale);
      hn::Store(u, d, unit.row(i) + j);
      hn::Store(hn::MulAdd(u, hn::Load(d, gain + j), hn::Load(d, shift + j)),
                d,
                y.row(i) + j);
    }
  }
}

HWY_ATTR void norm_backward(ConstView dy,
                            ConstView unit,
                            const float* rstd,
                            const float* gain,
                            View dx,
                            float* dgain,
                            float* dshift) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const float inverse = 1.0F / static_cast<float>(dy.cols);
  for (int i = 0; i < dy.rows; ++i) {
    const float* up = dy.row(i);
    const float* u = unit.row(i);
    auto sum = hn::Zero(d);
    auto along = hn::Zero(d);
    for (int j = 0; j < dy.cols; j += lanes) {
      const auto g = hn::Load(d, up + j);
      const auto uj = hn::Load(d, u + j);
      hn::Store(hn::Add(hn::Load(d, dshift + j), g), d, dshift + j);
      hn::Store(hn::MulAdd(g, uj, hn::Load(d, dgain + j)), d, dgain + j);
      const auto du = hn::Mul(g, hn::Load(d, gain + j));
      sum = hn::Add(sum, du);
      along = hn::MulAdd(du, uj, along);
    }
    const auto mean = hn::Set(d, total(sum) * inverse);
    const auto slope = hn::Set(d, total(along) * inverse);
    const auto scale = hn::Set(d, rstd[i]);
    for (int j = 0; j < dy.cols; j += lanes) {
      const auto du = hn::Mul(hn::Load(d, up + j), hn::Load(d, gain + j));
      auto out = hn::Sub(du, mean);
      out = hn::NegMulAdd(slope, hn::Load(d, u + j), out);
      out = hn::Mul(scale, out);
      const int left = dy.cols - j;
      if (left < lanes) {
        out = hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(left)), out);
      }
      hn::Store(out, d, dx.row(i) + j);
    }
  }
}

// Computes to = to * keep + from * scale over whole rows.
HWY_ATTR void combine(ConstView from, float scale, bool keep, View to) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto s = hn::Set(d, scale);
  for (int i = 0; i < to.rows; ++i) {
    const float* in = from.row(i);
    float* out = to.row(i);
    for (int j = 0; j < to.cols; j += lanes) {
      const auto old = keep ? hn::Load(d, out + j) : hn::Zero(d);
      hn::Store(hn::MulAdd(s, hn::Load(d, in + j), old), d, out + j);
    }
  }
}

// Writes only up to cols: a row may be part of a wider matrix.
HWY_ATTR void set_all(float value, View to) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto all = hn::Set(d, value);
  for (int i = 0; i < to.rows; ++i) {
    float* out = to.row(i);
    int j = 0;
    for (; j + lanes <= to.cols; j += lanes) {
      hn::StoreU(all, d, out + j);
    }
    std::fill(out + j, out + to.cols, value);
  }
}

// Adds the rows of x to `sum` in order.
// Handles `kAtOnce` vectors of columns at a time to hide the latency of additions.
HWY_ATTR void add_each_row(ConstView x, float* sum) {
  constexpr int kAtOnce = 4;
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int j = 0;
  for (; j + kAtOnce * lanes <= x.cols; j += kAtOnce * lanes) {
    auto s0 = hn::Load(d, sum + j);
    auto s1 = hn::Load(d, sum + j + lanes);
    auto s2 = hn::Load(d, sum + j + 2 * lanes);
    auto s3 = hn::Load(d, sum + j + 3 * lanes);
    for (int i = 0; i < x.rows; ++i) {
      const float* row = x.row(i) + j;
      s0 = hn::Add(s0, hn::Load(d, row));
      s1 = hn::Add(s1, hn::Load(d, row + lanes));
      s2 = hn::Add(s2, hn::Load(d, row + 2 * lanes));
      s3 = hn::Add(s3, hn::Load(d, row + 3 * lanes));
    }
    hn::Store(s0, d, sum + j);
    hn::Store(s1, d, sum + j + lanes);
    hn::Store(s2, d, sum + j + 2 * lanes);
    hn::Store(s3, d, sum + j + 3 * lanes);
  }
  for (; j < x.cols; j += lanes) {
    auto s = hn::Load(d, sum + j);
    for (int i = 0; i < x.rows; ++i) {
      s = hn::Add(s, hn::Load(d, x.row(i) + j));
    }
    hn::Store(s, d, sum + j);
  }
}

// The product of two floats is an exact double.
HWY_ATTR double dot_rows(ConstView a, ConstView b) {
  const hn::CappedTag<double, kLane / 2> d;
  const hn::Rebind<float, decltype(d)> narrow;
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto sum = hn::Zero(d);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.cols; j += lanes) {
      sum = hn::MulAdd(hn::PromoteTo(d, hn::Load(narrow, a.row(i) + j)),
                       hn::PromoteTo(d, hn::Load(narrow, b.row(i) + j)),
                       sum);
    }
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

}  // namespace
}  // namespace oa::num::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::num {
namespace {

HWY_EXPORT(norm_forward);
HWY_EXPORT(norm_backward);
HWY_EXPORT(combine);
HWY_EXPORT(set_all);
HWY_EXPORT(add_each_row);
HWY_EXPORT(dot_rows);

}  // namespace

void layer_norm(ConstView x,
                std::span<const float> gain,
                std::span<const float> shift,
                View unit,
                std::span<float> rstd,
                View y) {
  assert(same_shape(x, unit) && same_shape(x, y));
  HWY_DYNAMIC_DISPATCH(norm_forward)
  (x, gain.data(), shift.data(), unit, rstd.data(), y);
}

void layer_norm_backward(ConstView dy,
                         ConstView unit,
                         std::span<const float> rstd,
                         std::span<const float> gain,
                         View dx,
                         std::span<float> dgain,
                         std::span<float> dshift) {
  assert(same_shape(dy, unit) && same_shape(dy, dx));
  HWY_DYNAMIC_DISPATCH(norm_backward)
  (dy, unit, rstd.data(), gain.data(), dx, dgain.data(), dshift.data());
}

void add(ConstView from, View to) {
  add_scaled(from, 1.0F, to);
}

void add_scaled(ConstView from, float scale, View to) {
  assert(same_shape(from, to));
  HWY_DYNAMIC_DISPATCH(combine)(from, scale, true, to);
}

void scale(View x, float factor) {
  HWY_DYNAMIC_DISPATCH(combine)(x, factor, false, x);
}

void copy(ConstView from, View to) {
  assert(same_shape(from, to));
  HWY_DYNAMIC_DISPATCH(combine)(from, 1.0F, false, to);
}

void fill(View to, float value) {
  HWY_DYNAMIC_DISPATCH(set_all)(value, to);
}

void add_rows(ConstView x, std::span<float> sum) {
  assert(static_cast<int>(sum.size()) >= x.cols);
  HWY_DYNAMIC_DISPATCH(add_each_row)(x, sum.data());
}

double dot(ConstView a, ConstView b) {
  assert(same_shape(a, b));
  return HWY_DYNAMIC_DISPATCH(dot_rows)(a, b);
}

}  // namespace oa::num
#endif
