#include "survey/kernel/exponent.h"

#include <cassert>
#include <cstddef>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so after foreach_target.h
#include "oa/attention/kernel/exponent-inl.h"
#include "oa/attention/kernel/partial_load-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

HWY_ATTR void write_powers(std::span<const float> x, std::span<float> y) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < x.size(); i += lanes) {
    const auto some = static_cast<int>(x.size() - i);
    const auto power = exp2_shifted(d, load_some(x.data() + i, some), hn::Zero(d));
    store_some(power, y.data() + i, some);
  }
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(write_powers);

}  // namespace

void powers_of_two(std::span<const float> x, std::span<float> y) {
  assert(x.size() == y.size());
  HWY_DYNAMIC_DISPATCH(write_powers)(x, y);
}

}  // namespace oa::attention
#endif
