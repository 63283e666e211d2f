#include "survey/kernel/rms_norm.h"

#include <cassert>
#include <cmath>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so after foreach_target.h
#include "oa/attention/kernel/partial_load-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

constexpr float kRmsEpsilon = 1e-5F;

// Normalises one head of one row, `width` columns; returns rstd.
HWY_ATTR float rms_norm_head(const float* x, const float* gain, int width, float* y) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto square = hn::Zero(d);
  for (int j = 0; j < width; j += lanes) {
    const auto v = load_some(x + j, width - j);
    square = hn::MulAdd(v, v, square);
  }
  const float mean = hn::GetLane(hn::SumOfLanes(d, square)) / static_cast<float>(width);
  const float rstd = 1.0F / std::sqrt(mean + kRmsEpsilon);
  const auto by = hn::Set(d, rstd);
  for (int j = 0; j < width; j += lanes) {
    const int some = width - j;
    const auto unit = hn::Mul(by, load_some(x + j, some));
    store_some(hn::Mul(load_some(gain + j, some), unit), y + j, some);
  }
  return rstd;
}

// With u = rstd x: dx = rstd (gain * dy - u mean(u * gain * dy)), elementwise.
HWY_ATTR void rms_norm_slope(const float* x,
                             const float* gain,
                             float rstd,
                             int width,
                             const float* dy,
                             float* dx,
                             float* d_gain) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto by = hn::Set(d, rstd);
  auto along = hn::Zero(d);
  for (int j = 0; j < width; j += lanes) {
    const int some = width - j;
    const auto unit = hn::Mul(by, load_some(x + j, some));
    const auto slope = hn::Mul(unit, load_some(dy + j, some));
    along = hn::MulAdd(slope, load_some(gain + j, some), along);
    store_some(hn::Add(load_some(d_gain + j, some), slope), d_gain + j, some);
  }
  const float mean = hn::GetLane(hn::SumOfLanes(d, along)) / static_cast<float>(width);
  const auto share = hn::Set(d, mean);
  for (int j = 0; j < width; j += lanes) {
    const int some = width - j;
    const auto unit = hn::Mul(by, load_some(x + j, some));
    const auto direct = hn::Mul(load_some(gain + j, some), load_some(dy + j, some));
    store_some(hn::Mul(by, hn::NegMulAdd(share, unit, direct)), dx + j, some);
  }
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(rms_norm_head);
HWY_EXPORT(rms_norm_slope);

}  // namespace

using num::ConstView;
using num::View;

void rms_norm(ConstView x, int heads, std::span<const float> gain, View rstd, View y) {
  assert(same_shape(x, y) && x.cols % heads == 0);
  assert(rstd.rows == x.rows && rstd.cols == heads);
  const int width = x.cols / heads;
  const auto one_head = HWY_DYNAMIC_DISPATCH(rms_norm_head);
  for (int i = 0; i < x.rows; ++i) {
    for (int h = 0; h < heads; ++h) {
      const int from = h * width;
      rstd(i, h) =
          one_head(x.row(i) + from, gain.data() + from, width, y.row(i) + from);
    }
  }
}

void rms_norm_backward(ConstView x,
                       int heads,
                       std::span<const float> gain,
                       ConstView rstd,
                       ConstView dy,
                       View dx,
                       std::span<float> d_gain) {
  assert(same_shape(x, dy) && same_shape(x, dx) && x.cols % heads == 0);
  const int width = x.cols / heads;
  const auto one_head = HWY_DYNAMIC_DISPATCH(rms_norm_slope);
  for (int i = 0; i < x.rows; ++i) {
    for (int h = 0; h < heads; ++h) {
      const int from = h * width;
      one_head(x.row(i) + from,
               gain.data() + from,
               rstd(i, h),
               width,
               dy.row(i) + from,
               dx.row(i) + from,
               d_gain.data() + from);
    }
  }
}

}  // namespace oa::attention
#endif
