#include "oa/attention/kernel/exponent.h"

#include <cassert>
#include <cstddef>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so behind foreach_target.h
#include "oa/attention/kernel/exponent-inl.h"
#include "oa/attention/kernel/partial_load-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

template <int Degree>
HWY_ATTR void write_powers(std::span<const float> x, std::span<float> y) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < x.size(); i += lanes) {
    const auto some = static_cast<int>(x.size() - i);
    const auto power =
        exp2_shifted<Degree>(d, load_some(x.data() + i, some), hn::Zero(d));
    store_some(power, y.data() + i, some);
  }
}

void powers_by_degree(std::span<const float> x, int degree, std::span<float> y) {
  if (degree == 3) {
    write_powers<3>(x, y);
  } else {
    write_powers<5>(x, y);
  }
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(powers_by_degree);

}  // namespace

void powers_of_two(std::span<const float> x, int degree, std::span<float> y) {
  assert(x.size() == y.size() && (degree == 3 || degree == 5));
  HWY_DYNAMIC_DISPATCH(powers_by_degree)(x, degree, y);
}

}  // namespace oa::attention
#endif
