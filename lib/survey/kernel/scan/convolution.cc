#include "survey/kernel/scan/convolution.h"

#include <algorithm>
#include <cassert>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so after foreach_target.h
#include "oa/attention/kernel/partial_load-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

// Adds w * x (elementwise) to y for `count` channels.
HWY_ATTR void add_product_row(const float* w, const float* x, int count, float* y) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int c = 0; c < count; c += lanes) {
    const int some = std::min(lanes, count - c);
    store_some(
        hn::MulAdd(
            load_some(w + c, some), load_some(x + c, some), load_some(y + c, some)),
        y + c,
        some);
  }
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(add_product_row);

using num::ConstView;
using num::View;

// Returns row t of x, or a row of the state if t is negative.
const float* row_before(ConstView x, ConstView state, int t) {
  return t >= 0 ? x.row(t) : state.row(state.rows + t);
}

// Moves the last rows of the state and x to the state.
// Rows move towards the beginning, so no row is read after it was overwritten.
void keep_last(ConstView x, View state) {
  for (int i = 0; i < state.rows; ++i) {
    const int from = x.rows - state.rows + i;
    const float* row = row_before(x, state, from);
    std::copy_n(row, x.cols, state.row(i));
  }
}

}  // namespace

void convolve(
    ConstView x, ConstView filter, std::span<const float> bias, View state, View y) {
  assert(same_shape(x, y) && filter.cols == x.cols);
  assert(state.rows == filter.rows - 1 && state.cols == x.cols);
  const auto add = HWY_DYNAMIC_DISPATCH(add_product_row);
  for (int t = 0; t < x.rows; ++t) {
    if (bias.empty()) {
      std::fill_n(y.row(t), y.cols, 0.0F);
    } else {
      std::copy_n(bias.data(), y.cols, y.row(t));
    }
    for (int l = 0; l < filter.rows; ++l) {
      add(filter.row(l), row_before(x, state, t - l), x.cols, y.row(t));
    }
  }
  keep_last(x, state);
}

void convolve_backward(ConstView x,
                       ConstView filter,
                       ConstView dy,
                       View dx,
                       View d_filter,
                       std::span<float> d_bias) {
  assert(same_shape(x, dy) && same_shape(x, dx) && same_shape(filter, d_filter));
  const auto add = HWY_DYNAMIC_DISPATCH(add_product_row);
  for (int t = 0; t < x.rows; ++t) {
    std::fill_n(dx.row(t), dx.cols, 0.0F);
    for (int l = 0; l < filter.rows; ++l) {
      if (t + l < x.rows) {
        add(filter.row(l), dy.row(t + l), x.cols, dx.row(t));
      }
      if (t - l >= 0) {
        add(dy.row(t), x.row(t - l), x.cols, d_filter.row(l));
      }
    }
    for (int c = 0; c < x.cols && !d_bias.empty(); ++c) {
      d_bias[static_cast<std::size_t>(c)] += dy(t, c);
    }
  }
}

}  // namespace oa::attention
#endif
