// Random numbers in vectors; kernels include it once for each instruction set.
#if defined(OA_SOLVE_LANE_RANDOM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_SOLVE_LANE_RANDOM_INL
#undef OA_SOLVE_LANE_RANDOM_INL
#else
#define OA_SOLVE_LANE_RANDOM_INL
#endif

#include "oa/solve/heuristic/replicas.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

namespace random {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = HWY_CAPPED(float, kReplicas);
using Words = HWY_CAPPED(std::uint32_t, kReplicas);
using Numbers = HWY_CAPPED(std::int32_t, kReplicas);

/// Returns the next 32 random bits of lanes l, l + 1, ...
HWY_INLINE hn::Vec<Words> bits(LaneRandom& state, int l) {
  const Words u;
  const auto s0 = hn::Load(u, state.word[0] + l);
  const auto s1 = hn::Load(u, state.word[1] + l);
  const auto s2 = hn::Xor(hn::Load(u, state.word[2] + l), s0);
  const auto s3 = hn::Load(u, state.word[3] + l);
  const auto mixed = hn::Xor(s3, s1);
  hn::Store(hn::Xor(s0, mixed), u, state.word[0] + l);
  hn::Store(hn::Xor(s1, s2), u, state.word[1] + l);
  hn::Store(hn::Xor(s2, hn::ShiftLeft<9>(s1)), u, state.word[2] + l);
  hn::Store(hn::Or(hn::ShiftLeft<11>(mixed), hn::ShiftRight<21>(mixed)),
            u,
            state.word[3] + l);
  return hn::Add(s0, s3);
}

/// Uniform numbers in (0, 1) with 24 bits.
HWY_INLINE hn::Vec<Floats> uniform(LaneRandom& state, int l) {
  const Floats d;
  const auto whole = hn::BitCast(Numbers(), hn::ShiftRight<8>(bits(state, l)));
  return hn::MulAdd(
      hn::ConvertTo(d, whole), hn::Set(d, 0x1p-24F), hn::Set(d, 0x1p-25F));
}

/// Returns -ln of a uniform number m 2^e, m in [1,2), with an error below 0.006:
/// log2 m is about (m - 1) (1 + 0.3466 (2 - m)).  At most 25 ln 2.
HWY_INLINE hn::Vec<Floats> exponential(LaneRandom& state, int l) {
  const Floats d;
  const Numbers n;
  const auto raw = hn::BitCast(n, uniform(state, l));
  const auto e = hn::ConvertTo(d, hn::Sub(hn::ShiftRight<23>(raw), hn::Set(n, 127)));
  const auto m = hn::BitCast(
      d, hn::Or(hn::And(raw, hn::Set(n, 0x7FFFFF)), hn::Set(n, 0x3F800000)));
  const auto f = hn::Sub(m, hn::Set(d, 1.0F));
  const auto bend = hn::NegMulAdd(hn::Set(d, 0.3466F), f, hn::Set(d, 1.3466F));
  return hn::Mul(hn::MulAdd(f, bend, e), hn::Set(d, -0.69314718F));
}
inline constexpr float kMaxExponential = 17.4F;

/// Nearly normal numbers with variance 1: sums of six uniform numbers of 16 bits.
/// Tails end at 4.2, which suffices for the noise of a simulation.
HWY_INLINE hn::Vec<Floats> normal(LaneRandom& state, int l) {
  const Floats d;
  const Words u;
  auto sum = hn::Zero(u);
  for (int i = 0; i < 3; ++i) {
    const auto word = bits(state, l);
    sum = hn::Add(sum,
                  hn::Add(hn::And(word, hn::Set(u, 0xFFFF)), hn::ShiftRight<16>(word)));
  }
  // Mean 3 * 65535, variance 6 * 65536^2 / 12.
  const auto centred = hn::Sub(hn::BitCast(Numbers(), sum), hn::Set(Numbers(), 196605));
  return hn::Mul(hn::ConvertTo(d, centred), hn::Set(d, 1.41421356F / 65536.0F));
}

}  // namespace random

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // once per target
