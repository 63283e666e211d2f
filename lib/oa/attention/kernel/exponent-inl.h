// Exponentials of vectors for kernels that Highway compiles for each instruction set.
// Kernels include this file after <hwy/foreach_target.h>,
// once for each instruction set.
#include <limits>

#include <hwy/highway.h>

#if defined(OA_ATTENTION_KERNEL_EXPONENT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_ATTENTION_KERNEL_EXPONENT_INL_H_
#undef OA_ATTENTION_KERNEL_EXPONENT_INL_H_
#else
#define OA_ATTENTION_KERNEL_EXPONENT_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

namespace exponent {

// 1.5 * 2^23.  Floats of this size have no fractional bits:
// adding kRounder rounds a number to an integer, which then is in the lowest bits.
inline constexpr float kRounder = 12582912.0F;

// Evaluates the polynomial in x with these coefficients, highest degree first.
template <class D, class V, class... Lower>
HWY_INLINE HWY_ATTR V polynomial(D d, V x, float highest, Lower... lower) {
  auto p = hn::Set(d, highest);
  ((p = hn::MulAdd(p, x, hn::Set(d, lower))), ...);
  return p;
}

// 2^r for |r| <= 1/2, exactly 1 at 0:
// the minimax polynomial of degree 5 (relative error 2.3e-7).
template <class D, class V>
HWY_INLINE HWY_ATTR V power_of_fraction(D d, V r) {
  return polynomial(d,
                    r,
                    0.00132764515F,
                    0.00967554096F,
                    0.0555071346F,
                    0.240221202F,
                    0.693146944F,
                    1.0F);
}

#if HWY_TARGET <= HWY_AVX3
// 512-bit vectors have one instruction for x - floor(x),
// and one that scales by 2^floor(x).
using Wide = hn::CappedTag<float, 16>;
template <class D>
inline constexpr bool kIsWide = hn::MaxLanes(D()) == 16;

// Returns x - floor(x), at most 1; for x from -2^-25 to 0 it is rounded to 1.
HWY_INLINE HWY_ATTR hn::Vec<Wide> above_floor(hn::Vec<Wide> x) {
  return {_mm512_reduce_ps(x.raw, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)};
}

// Returns p * 2^floor(x).
HWY_INLINE HWY_ATTR hn::Vec<Wide> scaled_by_floor(hn::Vec<Wide> p, hn::Vec<Wide> x) {
  return {_mm512_scalef_ps(p.raw, x.raw)};
}

// 2^r for 0 <= r <= 1, exactly 1 at 0: the minimax polynomial of degree 5 (relative
// error 8.3e-8), before rounding.
HWY_INLINE HWY_ATTR hn::Vec<Wide> power_above_floor(hn::Vec<Wide> r) {
  return polynomial(Wide(),
                    r,
                    0.00186713005F,
                    0.00901703071F,
                    0.0557999127F,
                    0.240164444F,
                    0.693151295F,
                    1.0F);
}
#endif

// p * 2^n for `rounded` = kRounder + n: adds n to the exponent of p.
// For p = 1, n = 128 gives infinity and n = -127 gives 0.
template <class D, class V>
HWY_INLINE HWY_ATTR V scaled_by_power(D d, V p, V rounded) {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(
      d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::BitCast(di, rounded))));
}

// Returns max(x, low), NaN for NaN.  If one operand is NaN, Max and Min return the
// second operand on x86, the first for plain floats, and the number on ARM.
template <class D, class V>
HWY_INLINE HWY_ATTR V at_least(D d, V x, float low) {
  const auto least = hn::Set(d, low);
#if HWY_TARGET == HWY_SCALAR || HWY_ARCH_ARM
  return hn::IfThenElse(hn::Lt(x, least), least, x);
#else
  return hn::Max(least, x);
#endif
}

// Returns x limited to [low, high]; NaN stays NaN.
template <class D, class V>
HWY_INLINE HWY_ATTR V clamped(D d, V x, float low, float high) {
  const auto most = hn::Set(d, high);
  x = at_least(d, x, low);
#if HWY_TARGET == HWY_SCALAR || HWY_ARCH_ARM
  return hn::IfThenElse(hn::Gt(x, most), most, x);
#else
  return hn::Min(most, x);
#endif
}

// Returns 2^n for integers n from -126 to 127; 0 for smaller n, any number for NaN.
template <class D, class V>
HWY_INLINE HWY_ATTR V whole_power(D d, V n) {
  const hn::RebindToSigned<D> di;
  const auto rounded = hn::Add(at_least(d, n, -127.0F), hn::Set(d, kRounder));
  const auto biased = hn::Add(hn::BitCast(di, rounded), hn::Set(di, 127));
  return hn::BitCast(d, hn::ShiftLeft<23>(biased));
}

}  // namespace exponent

// exp2_normal() and exp2_shifted() are the fastest for weights.
// Factors of long products, such as decays near 1, need exp2_below_128(),
// whose error just below 1 is smaller.

/// 2^x for -126 <= x <= 127, relative error 2.4e-7; NaN for NaN.
template <class D, class V>
HWY_INLINE HWY_ATTR V exp2_normal(D d, V x) {
#if HWY_TARGET <= HWY_AVX3
  if constexpr (exponent::kIsWide<D>) {
    const auto r = exponent::above_floor(x);
    return exponent::scaled_by_floor(exponent::power_above_floor(r), x);
  }
#endif
  const auto rounder = hn::Set(d, exponent::kRounder);
  const auto rounded = hn::Add(x, rounder);
  const auto r = hn::Sub(x, hn::Sub(rounded, rounder));
  return exponent::scaled_by_power(d, exponent::power_of_fraction(d, r), rounded);
}

/// 2^x 2^shift for an integer `shift` and x + shift <= 127.  If the sum is above -126,
/// the result is exp2_normal(x) with another exponent, bit for bit.  0 below -150 at
/// the latest and for -infinity; NaN for NaN.
template <class D, class V>
HWY_INLINE HWY_ATTR V exp2_shifted(D d, V x, V shift) {
#if HWY_TARGET <= HWY_AVX3
  if constexpr (exponent::kIsWide<D>) {
    const auto r = exponent::above_floor(x);
    const auto n = hn::Sub(x, r);  // floor(x), even if r was rounded
    return exponent::scaled_by_floor(exponent::power_above_floor(r), hn::Add(n, shift));
  }
#endif
  x = exponent::at_least(d, x, std::numeric_limits<float>::lowest());
  const auto n = hn::Round(x);
  const auto p = exponent::power_of_fraction(d, hn::Sub(x, n));
  return hn::Mul(p, exponent::whole_power(d, hn::Add(n, shift)));
}

/// 2^x for x <= 127, relative error 2.4e-7;
/// exactly 1 at 0, 0 below -150 at the latest and for -infinity, NaN for NaN.
/// Takes 8 instructions with AVX-512, else 12; 5 of them are multiply-adds.
template <class D, class V>
HWY_INLINE HWY_ATTR V exp2_below_128(D d, V x) {
#if HWY_TARGET <= HWY_AVX3
  if constexpr (exponent::kIsWide<D>) {
    const auto n = hn::Round(x);
    const auto p = exponent::power_of_fraction(d, hn::Sub(x, n));
    return exponent::scaled_by_floor(p, n);
  }
#endif
  return exp2_normal(d, exponent::clamped(d, x, -127.0F, 127.0F));
}

/// exp(x) for any x, relative error 3e-7: log2(e) is split in two parts, so that the
/// fraction of the exponent is exact.  0 below -87.3, where floats become subnormal;
/// 3.4e38, the largest float, above 88.72; NaN for NaN.
template <class D, class V>
HWY_INLINE HWY_ATTR V exp_of(D d, V x) {
  constexpr float kLowest = -87.3365402F;
  const auto below = hn::Lt(x, hn::Set(d, kLowest));
  x = exponent::clamped(d, x, kLowest, 88.7228317F);
  const auto high = hn::Set(d, 1.44269502F);
  const auto rounder = hn::Set(d, exponent::kRounder);
  const auto rounded = hn::MulAdd(x, high, rounder);
  const auto whole = hn::Sub(rounded, rounder);
  auto r = hn::MulSub(x, high, whole);
  r = hn::MulAdd(x, hn::Set(d, 1.92596299e-8F), r);
  const auto p = exponent::power_of_fraction(d, r);
  return hn::IfThenZeroElse(below, exponent::scaled_by_power(d, p, rounded));
}

/// 1 / (1 + exp(-x))
template <class D, class V>
HWY_INLINE HWY_ATTR V sigmoid_of(D d, V x) {
  const auto one = hn::Set(d, 1.0F);
  return hn::Div(one, hn::Add(one, exp_of(d, hn::Neg(x))));
}

/// Computes log(1 + exp(x)) = max(x, 0) + log(1 + y) with y = exp(-|x|) <= 1,
/// where log(1 + y) = 2 atanh(y / (2 + y)), whose argument is at most 1/3.
/// Relative error 3e-7.
template <class D, class V>
HWY_INLINE HWY_ATTR V softplus_of(D d, V x) {
  const auto y = exp_of(d, hn::Neg(hn::Abs(x)));
  const auto s = hn::Div(y, hn::Add(hn::Set(d, 2.0F), y));
  const auto square = hn::Mul(s, s);
  const auto p = exponent::polynomial(d,
                                      square,
                                      2.0F / 13.0F,
                                      2.0F / 11.0F,
                                      2.0F / 9.0F,
                                      2.0F / 7.0F,
                                      2.0F / 5.0F,
                                      2.0F / 3.0F,
                                      2.0F);
  return hn::MulAdd(p, s, hn::Max(hn::Zero(d), x));
}

}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // OA_ATTENTION_KERNEL_EXPONENT_INL_H_
