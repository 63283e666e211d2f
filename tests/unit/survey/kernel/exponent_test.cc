// The exponentials of kernels by themselves, for every instruction set here.

#include <array>
#include <cmath>
#include <span>

#define HWY_TARGET_INCLUDE __BASE_FILE__
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include "oa/attention/kernel/exponent-inl.h"
#include "ref/targets.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

using Floats = hn::CappedTag<float, 16>;

// y[i] = exp2(x[i], shift)
template <class Exp2>
HWY_ATTR void apply(std::span<const float> x,
                    float shift,
                    std::span<float> y,
                    Exp2 exp2) {
  const Floats d;
  alignas(64) std::array<float, 16> lanes{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    lanes.fill(x[i]);
    const auto power = exp2(hn::Load(d, lanes.data()), hn::Set(d, shift));
    hn::Store(power, d, lanes.data());
    y[i] = lanes[0];
  }
}

struct Below128 {
  template <class V>
  HWY_ATTR static V of(V x, V /*shift*/) {
    return exp2_below_128(Floats(), x);
  }
};
struct Normal {
  template <class V>
  HWY_ATTR static V of(V x, V /*shift*/) {
    return exp2_normal(Floats(), x);
  }
};
struct Shifted {
  template <class V>
  HWY_ATTR static V of(V x, V shift) {
    return exp2_shifted(Floats(), x, shift);
  }
};

void below_128(std::span<const float> x, float shift, std::span<float> y) {
  apply(x, shift, y, Below128::of<hn::Vec<Floats>>);
}
void normal(std::span<const float> x, float shift, std::span<float> y) {
  apply(x, shift, y, Normal::of<hn::Vec<Floats>>);
}
void shifted(std::span<const float> x, float shift, std::span<float> y) {
  apply(x, shift, y, Shifted::of<hn::Vec<Floats>>);
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

HWY_EXPORT(below_128);
HWY_EXPORT(normal);
HWY_EXPORT(shifted);

using Numbers = std::vector<float>;
using Exp2 = Numbers (*)(const Numbers& x);

Numbers exp2_below_128(const Numbers& x) {
  Numbers y(x.size());
  HWY_DYNAMIC_DISPATCH(below_128)(x, 0.0F, y);
  return y;
}
Numbers exp2_normal(const Numbers& x) {
  Numbers y(x.size());
  HWY_DYNAMIC_DISPATCH(normal)(x, 0.0F, y);
  return y;
}
Numbers exp2_shifted(const Numbers& x, float shift) {
  Numbers y(x.size());
  HWY_DYNAMIC_DISPATCH(shifted)(x, shift, y);
  return y;
}
Numbers exp2_unshifted(const Numbers& x) {
  return exp2_shifted(x, 0.0F);
}

constexpr std::array<Exp2, 3> kAll = {exp2_below_128, exp2_normal, exp2_unshifted};

/// Numbers whose powers are normal floats, whole ones and those just beside them, too.
Numbers samples() {
  Numbers x;
  for (float value = -125.0F; value <= 127.0F; value += 0.00731F) {
    x.push_back(value);
  }
  for (float value = -125.0F; value <= 126.0F; value += 1.0F) {
    x.push_back(value);
    x.push_back(std::nextafter(value, -200.0F));
    x.push_back(std::nextafter(value, 200.0F));
  }
  for (float value = 1.0F; value > 1e-9F; value *= 0.5F) {
    x.push_back(value);
    x.push_back(-value);
  }
  return x;
}

/// The largest error relative to 2^x.
double worst(Exp2 exp2) {
  const Numbers x = samples();
  const Numbers y = exp2(x);
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
  ref::on_each_target([&] {
    for (const Exp2 exp2 : kAll) {
      CHECK(worst(exp2) < 2.4e-7);
    }
  });
}

TEST_CASE("powers of two of kernels are exact where kernels rely on it") {
  const float infinity = std::numeric_limits<float>::infinity();
  ref::on_each_target([&] {
    for (const Exp2 exp2 : kAll) {
      CHECK(exp2({0.0F, -0.0F, 1.0F, -1.0F, 10.0F, 126.0F}) ==
            Numbers{1.0F, 1.0F, 2.0F, 0.5F, 1024.0F, 0x1p126F});
      CHECK(std::isnan(exp2({std::numeric_limits<float>::quiet_NaN()})[0]));
    }
    for (const Exp2 exp2 : {exp2_below_128, exp2_unshifted}) {
      CHECK(exp2({127.0F, -151.0F, -1e30F, -infinity}) ==
            Numbers{0x1p127F, 0.0F, 0.0F, 0.0F});
    }
  });
}

TEST_CASE("a shift of a power of two changes nothing but its exponent") {
  const Numbers x = samples();
  ref::on_each_target([&] {
    const Numbers y = exp2_normal(x);
    for (const float shift : {0.0F, 5.0F, -90.0F, 100.0F}) {
      const Numbers z = exp2_shifted(x, shift);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const float power = std::ldexp(y[i], static_cast<int>(shift));
        const bool normal = x[i] + shift > -125.0F && x[i] + shift <= 127.0F;
        wrong += normal && z[i] != power ? 1 : 0;
      }
      CHECK(wrong == 0);
    }
  });
}

TEST_SUITE_END();

}  // namespace oa::attention
#endif
