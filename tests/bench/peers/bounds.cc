#include "oa/num/peak.h"
#include "peer.h"

#include <array>
#include <cstdint>

#include <hwy/highway.h>

namespace peers {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The sum of the first `bytes` from here on, read as floats.
float sum_of(const float* from, std::size_t bytes) {
  const hn::ScalableTag<float> d;
  constexpr std::size_t kChains = 8;
  std::array<hn::Vec<decltype(d)>, kChains> sum{};
  const std::size_t step = kChains * hn::Lanes(d);
  for (const float* end = from + bytes / sizeof(float) / step * step; from < end;
       from += step) {
    for (std::size_t i = 0; i < kChains; ++i) {
      sum[i] = hn::Add(sum[i], hn::LoadU(d, from + i * hn::Lanes(d)));
    }
  }
  for (std::size_t i = 1; i < kChains; ++i) {
    sum[0] = hn::Add(sum[0], sum[i]);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum[0]));
}

}  // namespace

Run multiply_adds(const Problem& p) {
  if (p.kind != Problem::Kind::Attention) {
    return {};
  }
  float sum = 0.0F;
  constexpr std::int64_t kSteps = 1024;
  const auto of_step = static_cast<double>(oa::num::multiply_add_loop(kSteps, sum)) /
                       static_cast<double>(kSteps);
  const auto steps = static_cast<std::int64_t>(p.flops() / of_step) + 1;
  return {[steps] {
            float kept = 0.0F;
            oa::num::multiply_add_loop(steps, kept);
            volatile float result = kept;
            (void)result;
          },
          {}};
}

Run reading(const Problem& p, const Data& data) {
  if (!p.decodes()) {
    return {};
  }
  const auto bytes = static_cast<std::size_t>(p.cache_bytes() / 2);
  return {[=, &data] {
            volatile float sum =
                sum_of(data.k.data(), bytes) + sum_of(data.v.data(), bytes);
            (void)sum;
          },
          {}};
}

}  // namespace peers
