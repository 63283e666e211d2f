#include "oa/attention/kernel/activation.h"

#include <cassert>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so after foreach_target.h
#include "oa/attention/kernel/exponent-inl.h"
#include "oa/attention/kernel/partial_load-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

HWY_ATTR void silu_rows(num::ConstView x, num::View y, num::View slope) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto one = hn::Set(d, 1.0F);
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.cols; j += lanes) {
      const int some = x.cols - j;
      const auto v = load_some(x.row(i) + j, some);
      const auto share = sigmoid_of(d, v);
      store_some(hn::Mul(v, share), y.row(i) + j, some);
      if (slope.data != nullptr) {
        const auto bend = hn::MulAdd(v, hn::Sub(one, share), one);
        store_some(hn::Mul(share, bend), slope.row(i) + j, some);
      }
    }
  }
}

HWY_ATTR void sigmoid_rows(num::ConstView x, num::View y, num::View slope) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.cols; j += lanes) {
      const int some = x.cols - j;
      const auto share = sigmoid_of(d, load_some(x.row(i) + j, some));
      store_some(share, y.row(i) + j, some);
      if (slope.data != nullptr) {
        store_some(hn::NegMulAdd(share, share, share), slope.row(i) + j, some);
      }
    }
  }
}

// Computes y = scale log(1 + exp(sign x)), and its slope.
HWY_ATTR void softplus_rows(
    num::ConstView x, float sign, float scale, num::View y, num::View slope) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto inside = hn::Set(d, sign);
  const auto outside = hn::Set(d, scale);
  const auto both = hn::Set(d, sign * scale);
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.cols; j += lanes) {
      const int some = x.cols - j;
      const auto v = hn::Mul(inside, load_some(x.row(i) + j, some));
      store_some(hn::Mul(outside, softplus_of(d, v)), y.row(i) + j, some);
      if (slope.data != nullptr) {
        store_some(hn::Mul(both, sigmoid_of(d, v)), slope.row(i) + j, some);
      }
    }
  }
}

HWY_ATTR void minus_exp_rows(num::ConstView x, num::View y) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.cols; j += lanes) {
      const int some = x.cols - j;
      const auto v = load_some(x.row(i) + j, some);
      store_some(hn::Neg(exp_of(d, v)), y.row(i) + j, some);
    }
  }
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(silu_rows);
HWY_EXPORT(sigmoid_rows);
HWY_EXPORT(softplus_rows);
HWY_EXPORT(minus_exp_rows);

}  // namespace

using num::ConstView;
using num::View;

void silu(ConstView x, View y, View slope) {
  assert(same_shape(x, y));
  HWY_DYNAMIC_DISPATCH(silu_rows)(x, y, slope);
}

void sigmoid(ConstView x, View y, View slope) {
  assert(same_shape(x, y));
  HWY_DYNAMIC_DISPATCH(sigmoid_rows)(x, y, slope);
}

void softplus(ConstView x, View y, View slope) {
  assert(same_shape(x, y));
  HWY_DYNAMIC_DISPATCH(softplus_rows)(x, 1.0F, 1.0F, y, slope);
}

void log_sigmoid(ConstView x, float scale, View y, View slope) {
  assert(same_shape(x, y));
  HWY_DYNAMIC_DISPATCH(softplus_rows)(x, -1.0F, -scale, y, slope);
}

void minus_exp(ConstView x, View y) {
  assert(same_shape(x, y));
  HWY_DYNAMIC_DISPATCH(minus_exp_rows)(x, y);
}

}  // namespace oa::attention
#endif
