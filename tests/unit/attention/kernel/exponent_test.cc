// The exponentials of kernels by themselves, for every instruction set here.
#include "ref/every_target.h"

#include <array>
#include <cmath>
#include <span>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "unit/attention/kernel/exponent_test.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include "oa/attention/kernel/exponent-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

using Floats = hn::CappedTag<float, 16>;

template <int Degree>
HWY_ATTR void apply(std::span<const float> x, std::span<float> y) {
  const Floats d;
  alignas(64) std::array<float, 16> lanes{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    lanes.fill(x[i]);
    hn::Store(exp2_below_128<Degree>(d, hn::Load(d, lanes.data())), d, lanes.data());
    y[i] = lanes[0];
  }
}

void exp2_fine(std::span<const float> x, std::span<float> y) {
  apply<5>(x, y);
}
void exp2_coarse(std::span<const float> x, std::span<float> y) {
  apply<3>(x, y);
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <doctest/doctest.h>

#include <limits>
#include <vector>

namespace oa::attention {
namespace {

HWY_EXPORT(exp2_fine);
HWY_EXPORT(exp2_coarse);

std::vector<float> of(const std::vector<float>& x, bool coarse = false) {
  std::vector<float> y(x.size());
  if (coarse) {
    HWY_DYNAMIC_DISPATCH(exp2_coarse)(x, y);
  } else {
    HWY_DYNAMIC_DISPATCH(exp2_fine)(x, y);
  }
  return y;
}

/// The largest error relative to 2^x, over numbers whose power is a normal float.
double worst(bool coarse) {
  std::vector<float> x;
  for (float value = -125.0F; value <= 127.0F; value += 0.00731F) {
    x.push_back(value);
  }
  const std::vector<float> y = of(x, coarse);
  double most = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = std::exp2(static_cast<double>(x[i]));
    most = std::fmax(most, std::abs(static_cast<double>(y[i]) - exact) / exact);
  }
  return most;
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("powers of two of kernels keep the errors that they promise") {
  const test::EveryTarget targets;
  for (const auto& target : targets.names) {
    CAPTURE(target);
    num::use_simd_target(target);
    CHECK(worst(false) < 2.4e-7);
    CHECK(worst(true) < 1.1e-4);
    CHECK(worst(true) > 1e-5);
  }
}

TEST_CASE("powers of two of kernels are exact where kernels rely on it") {
  const test::EveryTarget targets;
  const float infinity = std::numeric_limits<float>::infinity();
  for (const auto& target : targets.names) {
    CAPTURE(target);
    num::use_simd_target(target);
    for (const bool coarse : {false, true}) {
      const std::vector<float> y =
          of({0.0F, -0.0F, 1.0F, -1.0F, 10.0F, 127.0F, -151.0F, -1e30F, -infinity},
             coarse);
      CHECK(y == std::vector<float>{
                     1.0F, 1.0F, 2.0F, 0.5F, 1024.0F, 0x1p127F, 0.0F, 0.0F, 0.0F});
      CHECK(std::isnan(of({std::numeric_limits<float>::quiet_NaN()}, coarse)[0]));
    }
  }
}

TEST_SUITE_END();

}  // namespace oa::attention
#endif
