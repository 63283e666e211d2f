#include "survey/kernel/scan/selective_chunk.h"

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so after foreach_target.h
#include "oa/attention/kernel/exponent-inl.h"
#include "oa/attention/kernel/partial_load-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kStates = 8;
#else
constexpr int kStates = 2;
#endif

#define OA_UNROLL _Pragma("GCC unroll 8")

// Scans states first .. first+S-1 of the lanes from `lane` on, held in registers.
template <int S>
HWY_ATTR void scan_states(const ChannelChunk& k,
                          const ChannelViews& io,
                          int first,
                          int lane) {
  const Floats d;
  hn::Vec<Floats> h[S];
  hn::Vec<Floats> a[S];
  OA_UNROLL for (int s = 0; s < S; ++s) {
    h[s] = hn::Load(d, k.h + (first + s) * num::kLane + lane);
    a[s] = hn::Load(d, k.a + (first + s) * num::kLane + lane);
  }
  const int some = io.x.cols - lane;
  const auto skip = hn::Load(d, io.skip + lane);
  const float* b = k.b + first;
  const float* c = k.c + first;
  for (int t = 0; t < k.steps; ++t, b += k.states, c += k.states) {
    const int at_row = t * num::kLane + lane;
    auto dt = hn::Zero(d);
    auto w = hn::Zero(d);
    auto y = hn::Zero(d);
    if (first == 0) {
      const auto x = load_some(io.x.row(t) + lane, some);
      dt = load_some(io.dt.row(t) + lane, some);
      w = hn::Mul(dt, x);
      y = hn::Mul(skip, x);
      hn::Store(dt, d, k.dt + at_row);
      hn::Store(w, d, k.w + at_row);
    } else {
      dt = hn::Load(d, k.dt + at_row);
      w = hn::Load(d, k.w + at_row);
      y = hn::Load(d, io.sums + at_row);
    }
    OA_UNROLL for (int s = 0; s < S; ++s) {
      const auto decay = exp2_below_128(d, hn::Mul(dt, a[s]));
      h[s] = hn::MulAdd(decay, h[s], hn::Mul(w, hn::Set(d, b[s])));
      y = hn::MulAdd(h[s], hn::Set(d, c[s]), y);
    }
    if (first + S == k.states) {
      store_some(y, io.y.row(t) + lane, some);
    } else {
      hn::Store(y, d, io.sums + at_row);
    }
  }
  OA_UNROLL for (int s = 0; s < S; ++s) {
    hn::Store(h[s], d, k.h + (first + s) * num::kLane + lane);
  }
}

HWY_ATTR void scan_chunk_kernel(const ChannelChunk& k, const ChannelViews& io) {
  const int lanes = static_cast<int>(hn::Lanes(Floats()));
  for (int lane = 0; lane < num::kLane; lane += lanes) {
    int s = 0;
    for (; s + kStates <= k.states; s += kStates) {
      scan_states<kStates>(k, io, s, lane);
    }
    for (; s < k.states; ++s) {
      scan_states<1>(k, io, s, lane);
    }
  }
}

// Like scan_chunk(), but stores the states and decays for gradients.
HWY_ATTR void repeat_chunk_kernel(const ChannelChunk& k, const ChannelSlopes& g) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < k.states * num::kLane; i += lanes) {
    const int lane = i % num::kLane;
    const auto a = hn::Load(d, k.a + i);
    auto h = hn::Load(d, k.h + i);
    for (int t = 0; t < k.steps; ++t) {
      const int to = t * k.states * num::kLane + i;
      const auto decay =
          exp2_below_128(d, hn::Mul(hn::Load(d, k.dt + t * num::kLane + lane), a));
      h = hn::Mul(decay, h);
      hn::Store(decay, d, g.decay + to);
      hn::Store(h, d, g.before + to);
      h = hn::MulAdd(hn::Load(d, k.w + t * num::kLane + lane),
                     hn::Set(d, k.b[t * k.states + i / num::kLane]),
                     h);
    }
    hn::Store(h, d, k.h + i);
  }
}

HWY_INLINE HWY_ATTR void add_to(float* to, hn::Vec<Floats> x) {
  const Floats d;
  hn::Store(hn::Add(hn::Load(d, to), x), d, to);
}

HWY_ATTR void slope_chunk_kernel(const ChannelChunk& k, const ChannelSlopes& g) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < k.states * num::kLane; i += lanes) {
    const int lane = i % num::kLane;
    const int state = i / num::kLane;
    const auto a = hn::Mul(hn::Load(d, k.a + i), hn::Set(d, 0.693147181F));
    auto slope = hn::Load(d, g.g + i);
    auto da = hn::Load(d, g.da + i);
    for (int t = k.steps - 1; t >= 0; --t) {
      const int from = t * k.states * num::kLane + i;
      const int row = t * num::kLane + lane;
      const auto dy = hn::Load(d, g.dy + row);
      const auto w = hn::Load(d, k.w + row);
      const auto b = hn::Set(d, k.b[t * k.states + state]);
      const auto before = hn::Load(d, g.before + from);
      slope = hn::MulAdd(dy, hn::Set(d, k.c[t * k.states + state]), slope);
      add_to(g.dc + from, hn::Mul(dy, hn::MulAdd(w, b, before)));
      add_to(g.db + from, hn::Mul(w, slope));
      add_to(g.d_w + row, hn::Mul(slope, b));
      const auto product = hn::Mul(slope, before);
      add_to(g.d_dt + row, hn::Mul(product, a));
      da = hn::MulAdd(product, hn::Load(d, k.dt + row), da);
      slope = hn::Mul(slope, hn::Load(d, g.decay + from));
    }
    hn::Store(slope, d, g.g + i);
    hn::Store(da, d, g.da + i);
  }
}

// Sums rows of num::kLane floats.
HWY_ATTR void sum_lanes_kernel(const float* from, int count, float* to) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < count; ++i) {
    auto sum = hn::Zero(d);
    for (int lane = 0; lane < num::kLane; lane += lanes) {
      sum = hn::Add(sum, hn::Load(d, from + i * num::kLane + lane));
    }
    to[i] = hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(scan_chunk_kernel);
HWY_EXPORT(repeat_chunk_kernel);
HWY_EXPORT(slope_chunk_kernel);
HWY_EXPORT(sum_lanes_kernel);

}  // namespace

void scan_chunk(const ChannelChunk& chunk, const ChannelViews& views) {
  HWY_DYNAMIC_DISPATCH(scan_chunk_kernel)(chunk, views);
}

void repeat_chunk(const ChannelChunk& chunk, const ChannelSlopes& slopes) {
  HWY_DYNAMIC_DISPATCH(repeat_chunk_kernel)(chunk, slopes);
}

void slope_chunk(const ChannelChunk& chunk, const ChannelSlopes& slopes) {
  HWY_DYNAMIC_DISPATCH(slope_chunk_kernel)(chunk, slopes);
}

void sum_lanes(const float* from, int count, float* to) {
  HWY_DYNAMIC_DISPATCH(sum_lanes_kernel)(from, count, to);
}

}  // namespace oa::attention
#endif
