#include "survey/kernel/scan/packing.h"

#include <cstddef>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so after foreach_target.h
#include "oa/attention/kernel/partial_load-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

template <bool kFactor>
HWY_INLINE HWY_ATTR void pack_rows(
    num::ConstView from, float scale, const float* factor, float* to, int width) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto by = hn::Set(d, scale);
  for (int i = 0; i < from.rows; ++i) {
    const float* row = from.row(i);
    const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(i) * width;
    for (int j = 0; j < width; j += lanes) {
      auto x = hn::Zero(d);
      if (j < from.cols) {
        x = load_some(row + j, from.cols - j);
      }
      x = hn::Mul(x, by);
      if constexpr (kFactor) {
        x = hn::Mul(x, hn::Load(d, factor + begin + j));
      }
      hn::Store(x, d, to + begin + j);
    }
  }
}

template <bool kFactor>
HWY_INLINE HWY_ATTR void unpack_rows(
    const float* from, const float* factor, float scale, int width, num::View to) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto by = hn::Set(d, scale);
  for (int i = 0; i < to.rows; ++i) {
    float* row = to.row(i);
    const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(i) * width;
    for (int j = 0; j < to.cols; j += lanes) {
      auto x = hn::Load(d, from + begin + j);
      if constexpr (kFactor) {
        x = hn::Mul(hn::Mul(x, by), hn::Load(d, factor + begin + j));
      }
      store_some(x, row + j, to.cols - j);
    }
  }
}

HWY_ATTR void pack_plain(num::ConstView from, float scale, float* to, int width) {
  pack_rows<false>(from, scale, nullptr, to, width);
}

HWY_ATTR void pack_factor(
    num::ConstView from, float scale, const float* factor, float* to, int width) {
  pack_rows<true>(from, scale, factor, to, width);
}

HWY_ATTR void unpack_plain(const float* from, int width, num::View to) {
  unpack_rows<false>(from, nullptr, 1.0F, width, to);
}

HWY_ATTR void unpack_scaled_rows(const float* from,
                                 const float* factors,
                                 int width,
                                 num::View to) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < to.rows; ++i, from += width) {
    const auto by = hn::Set(d, factors[i]);
    for (int j = 0; j < to.cols; j += lanes) {
      store_some(hn::Mul(by, hn::Load(d, from + j)), to.row(i) + j, to.cols - j);
    }
  }
}

HWY_ATTR void unpack_factor(
    const float* from, const float* factor, float scale, int width, num::View to) {
  unpack_rows<true>(from, factor, scale, width, to);
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(pack_plain);
HWY_EXPORT(pack_factor);
HWY_EXPORT(unpack_plain);
HWY_EXPORT(unpack_factor);
HWY_EXPORT(unpack_scaled_rows);

}  // namespace

void pack(num::ConstView from, float scale, float* to, int width) {
  HWY_DYNAMIC_DISPATCH(pack_plain)(from, scale, to, width);
}

void pack_product(
    num::ConstView from, float scale, const float* factor, float* to, int width) {
  HWY_DYNAMIC_DISPATCH(pack_factor)(from, scale, factor, to, width);
}

void unpack(const float* from, int width, num::View to) {
  HWY_DYNAMIC_DISPATCH(unpack_plain)(from, width, to);
}

void unpack_scaled(const float* from, const float* factors, int width, num::View to) {
  HWY_DYNAMIC_DISPATCH(unpack_scaled_rows)(from, factors, width, to);
}

void unpack_product(
    const float* from, const float* factor, float scale, int width, num::View to) {
  HWY_DYNAMIC_DISPATCH(unpack_factor)(from, factor, scale, width, to);
}

}  // namespace oa::attention
#endif
