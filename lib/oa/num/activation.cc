#include "oa/num/activation.h"

#include <limits>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::num::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, kLane>;
using Vector = hn::Vec<Floats>;

// Computes exp(x) within 2 ulp on [-87, 88], clamped outside: 2^n by the exponent
// field, the remaining factor by the polynomial of Cephes' expf (Moshier).
HWY_ATTR Vector exponential(Vector x) {
  const Floats d;
  x = hn::Min(hn::Max(x, hn::Set(d, -87.0F)), hn::Set(d, 88.0F));
  const auto n = hn::Round(hn::Mul(x, hn::Set(d, 1.44269504F)));
  auto r = hn::NegMulAdd(n, hn::Set(d, 0.693359375F), x);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4F), r);
  auto p = hn::Set(d, 1.9875691500e-4F);
  p = hn::MulAdd(p, r, hn::Set(d, 1.3981999507e-3F));
  p = hn::MulAdd(p, r, hn::Set(d, 8.3334519073e-3F));
  p = hn::MulAdd(p, r, hn::Set(d, 4.1665795894e-2F));
  p = hn::MulAdd(p, r, hn::Set(d, 1.6666665459e-1F));
  p = hn::MulAdd(p, r, hn::Set(d, 5.0000001201e-1F));
  p = hn::MulAdd(hn::Mul(p, r), r, hn::Add(r, hn::Set(d, 1.0F)));
  const hn::RebindToSigned<Floats> di;
  const auto exponent =
      hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127)));
  return hn::Mul(p, hn::BitCast(d, exponent));
}

// Computes 1 / (1 + exp(-x)).
HWY_ATTR Vector sigmoid(Vector x) {
  const Floats d;
  const auto one = hn::Set(d, 1.0F);
  return hn::Div(one, hn::Add(one, exponential(hn::Neg(x))));
}

HWY_ATTR void gelu_rows(ConstView x, View y, View slope) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto root = hn::Set(d, 1.59576912F);  // 2 sqrt(2/pi)
  const auto cubic = hn::Set(d, 1.59576912F * 0.044715F);
  const auto one = hn::Set(d, 1.0F);
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.cols; j += lanes) {
      const auto v = hn::Load(d, x.row(i) + j);
      const auto square = hn::Mul(v, v);
      const auto inner = hn::MulAdd(cubic, square, root);  // 2u / x
      const auto s = sigmoid(hn::Mul(v, inner));
      const auto inner_slope = hn::MulAdd(hn::Add(cubic, cubic), square, inner);
      const auto bend = hn::Mul(hn::Mul(v, s), hn::Sub(one, s));
      hn::Store(hn::Mul(v, s), d, y.row(i) + j);
      hn::Store(hn::MulAdd(bend, inner_slope, s), d, slope.row(i) + j);
    }
  }
}

HWY_ATTR void relu_rows(ConstView x, View y, View slope) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.cols; j += lanes) {
      const auto v = hn::Load(d, x.row(i) + j);
      const auto on = hn::Gt(v, hn::Zero(d));
      hn::Store(hn::IfThenElseZero(on, v), d, y.row(i) + j);
      hn::Store(hn::IfThenElseZero(on, hn::Set(d, 1.0F)), d, slope.row(i) + j);
    }
  }
}

HWY_ATTR void multiply_rows(ConstView by, View x) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.cols; j += lanes) {
      hn::Store(hn::Mul(hn::Load(d, x.row(i) + j), hn::Load(d, by.row(i) + j)),
                d,
                x.row(i) + j);
    }
  }
}

HWY_ATTR hn::Mask<Floats> within(int j, int cols) {
  return hn::FirstN(Floats(), static_cast<size_t>(cols - j));
}

HWY_ATTR void softmax_rows(ConstView s, float scale, View p) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto lowest = hn::Set(d, std::numeric_limits<float>::lowest());
  const auto factor = hn::Set(d, scale);
  for (int i = 0; i < s.rows; ++i) {
    auto top = lowest;
    for (int j = 0; j < s.cols; j += lanes) {
      const auto v = hn::Mul(factor, hn::Load(d, s.row(i) + j));
      top = hn::Max(top, hn::IfThenElse(within(j, s.cols), v, lowest));
    }
    top = hn::MaxOfLanes(d, top);
    auto sum = hn::Zero(d);
    for (int j = 0; j < s.cols; j += lanes) {
      const auto v = hn::Mul(factor, hn::Load(d, s.row(i) + j));
      const auto e =
          hn::IfThenElseZero(within(j, s.cols), exponential(hn::Sub(v, top)));
      sum = hn::Add(sum, e);
      hn::Store(e, d, p.row(i) + j);
    }
    const auto share = hn::Div(hn::Set(d, 1.0F), hn::SumOfLanes(d, sum));
    for (int j = 0; j < s.cols; j += lanes) {
      hn::Store(hn::Mul(share, hn::Load(d, p.row(i) + j)), d, p.row(i) + j);
    }
  }
}

HWY_ATTR void softmax_back(ConstView p, ConstView dp, float scale, View ds) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto factor = hn::Set(d, scale);
  for (int i = 0; i < p.rows; ++i) {
    auto sum = hn::Zero(d);
    for (int j = 0; j < p.cols; j += lanes) {
      sum = hn::MulAdd(hn::Load(d, p.row(i) + j), hn::Load(d, dp.row(i) + j), sum);
    }
    sum = hn::SumOfLanes(d, sum);
    for (int j = 0; j < p.cols; j += lanes) {
      const auto diff = hn::Sub(hn::Load(d, dp.row(i) + j), sum);
      hn::Store(
          hn::Mul(hn::Mul(factor, hn::Load(d, p.row(i) + j)), diff), d, ds.row(i) + j);
    }
  }
}

// Uses sigma' = s (1 - s); the clamps of exponential() avoid 0/0.
HWY_ATTR void slope_root_rows(ConstView g, float temperature, View s) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto inverse = hn::Set(d, 1.0F / temperature);
  const auto one = hn::Set(d, 1.0F);
  for (int i = 0; i < g.rows; ++i) {
    for (int j = 0; j < g.cols; j += lanes) {
      const auto e =
          exponential(hn::Neg(hn::Abs(hn::Mul(inverse, hn::Load(d, g.row(i) + j)))));
      const auto below = hn::Add(one, e);
      const auto root = hn::Div(hn::Sqrt(hn::Mul(e, inverse)), below);
      hn::Store(root, d, s.row(i) + j);
    }
  }
}

// Flushes values to 0 whose products would be subnormal.
template <bool kRoot>
HWY_ATTR void logistic_values(ConstView g, float temperature, View x, View root) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto inverse = hn::Set(d, 1.0F / temperature);
  const auto one = hn::Set(d, 1.0F);
  for (int i = 0; i < g.rows; ++i) {
    for (int j = 0; j < g.cols; j += lanes) {
      const auto u = hn::Mul(inverse, hn::Load(d, g.row(i) + j));
      const auto e = exponential(hn::Neg(hn::Abs(u)));
      const auto share = hn::Div(one, hn::Add(one, e));
      const auto value = hn::Mul(share, hn::IfThenElse(hn::Gt(u, hn::Zero(d)), e, one));
      const auto inside = within(j, g.cols);
      const auto some = hn::And(inside, hn::Gt(value, hn::Set(d, 1e-18F)));
      hn::Store(hn::IfThenElseZero(some, value), d, x.row(i) + j);
      if constexpr (kRoot) {
        const auto slope = hn::Mul(share, hn::Sqrt(hn::Mul(e, inverse)));
        const auto steep = hn::And(inside, hn::Gt(slope, hn::Set(d, 1e-5F)));
        hn::Store(hn::IfThenElseZero(steep, slope), d, root.row(i) + j);
      }
    }
  }
}

HWY_ATTR void logistic_rows(ConstView g, float temperature, View x) {
  logistic_values<false>(g, temperature, x, {});
}

HWY_ATTR void logistic_and_root_rows(ConstView g,
                                     float temperature,
                                     View x,
                                     View root) {
  logistic_values<true>(g, temperature, x, root);
}

}  // namespace
}  // namespace oa::num::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::num {
namespace {

HWY_EXPORT(gelu_rows);
HWY_EXPORT(relu_rows);
HWY_EXPORT(multiply_rows);
HWY_EXPORT(softmax_rows);
HWY_EXPORT(softmax_back);
HWY_EXPORT(slope_root_rows);
HWY_EXPORT(logistic_rows);
HWY_EXPORT(logistic_and_root_rows);

}  // namespace

void gelu(ConstView x, View y, View slope) {
  assert(same_shape(x, y) && same_shape(x, slope));
  HWY_DYNAMIC_DISPATCH(gelu_rows)(x, y, slope);
}

void relu(ConstView x, View y, View slope) {
  assert(same_shape(x, y) && same_shape(x, slope));
  HWY_DYNAMIC_DISPATCH(relu_rows)(x, y, slope);
}

void multiply(ConstView by, View x) {
  assert(same_shape(by, x));
  HWY_DYNAMIC_DISPATCH(multiply_rows)(by, x);
}

void softmax(ConstView s, float scale, View p) {
  assert(same_shape(s, p));
  HWY_DYNAMIC_DISPATCH(softmax_rows)(s, scale, p);
}

void softmax_backward(ConstView p, ConstView dp, float scale, View ds) {
  assert(same_shape(p, dp) && same_shape(p, ds));
  HWY_DYNAMIC_DISPATCH(softmax_back)(p, dp, scale, ds);
}

void sigmoid_slope_root(ConstView g, float temperature, View s) {
  assert(same_shape(g, s));
  HWY_DYNAMIC_DISPATCH(slope_root_rows)(g, temperature, s);
}

void logistic(ConstView g, float temperature, View x) {
  assert(same_shape(g, x));
  HWY_DYNAMIC_DISPATCH(logistic_rows)(g, temperature, x);
}

void logistic(ConstView g, float temperature, View x, View root) {
  assert(same_shape(g, x) && same_shape(g, root));
  HWY_DYNAMIC_DISPATCH(logistic_and_root_rows)(g, temperature, x, root);
}

}  // namespace oa::num
#endif
