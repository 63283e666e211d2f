#include "oa/num/peak.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::num::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;

// A multiply-add takes 4 or 5 cycles and 2 start in each cycle, so 10 are in flight.
// 12 sums and 2 factors fit into the 16 registers of AVX2.
constexpr int kSums = 12;

HWY_ATTR std::int64_t multiply_add_steps(std::int64_t steps, float& sum) {
  const Floats d;
  const auto factor = hn::Set(d, 0.5F);
  const auto term = hn::Set(d, 1.0F);
  hn::Vec<Floats> sums[kSums];
  _Pragma("GCC unroll 12") for (int k = 0; k < kSums; ++k) {
    sums[k] = hn::Set(d, static_cast<float>(k));
  }
  for (std::int64_t step = 0; step < steps; ++step) {
    _Pragma("GCC unroll 12") for (int k = 0; k < kSums; ++k) {
      sums[k] = hn::MulAdd(sums[k], factor, term);
    }
  }
  auto all = sums[0];
  _Pragma("GCC unroll 12") for (int k = 1; k < kSums; ++k) {
    all = hn::Add(all, sums[k]);
  }
  sum += hn::GetLane(all);
  return 2 * steps * kSums * static_cast<std::int64_t>(hn::Lanes(d));
}

HWY_ATTR void copy_vectors(std::span<const float> from, std::span<float> to) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t whole = from.size() / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes) {
    hn::StoreU(hn::LoadU(d, from.data() + i), d, to.data() + i);
  }
  std::copy(from.data() + whole, from.data() + from.size(), to.data() + whole);
}

}  // namespace
}  // namespace oa::num::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::num {
namespace {

HWY_EXPORT(multiply_add_steps);
HWY_EXPORT(copy_vectors);

}  // namespace

std::int64_t multiply_add_loop(std::int64_t steps, float& sum) {
  return HWY_DYNAMIC_DISPATCH(multiply_add_steps)(steps, sum);
}

void copy_floats(std::span<const float> from, std::span<float> to) {
  assert(from.size() == to.size());
  HWY_DYNAMIC_DISPATCH(copy_vectors)(from, to);
}

}  // namespace oa::num
#endif
