// 2^x in vectors of floats; included once for each instruction set, by kernels.
#if defined(OA_ATTENTION_KERNEL_EXP2_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_ATTENTION_KERNEL_EXP2_INL
#undef OA_ATTENTION_KERNEL_EXP2_INL
#else
#define OA_ATTENTION_KERNEL_EXP2_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace exponential {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Floats>;

/// 2^x for x <= 127, with a relative error below 2.4e-7; 2^0 is 1 and 2^x is 0 for x
/// below -150 at the latest, for -infinity, too.  A NaN stays one.
///   n = round(x), r = x - n in [-1/2, 1/2], 2^x = 2^n p(r)
/// where p is the minimax polynomial of degree 5 whose constant is 1.
HWY_INLINE Vector exp2(Vector x) {
  const Floats d;
#if HWY_TARGET > HWY_AVX3
  // The exponent -127 is written as the factor 0.  A NaN is not below it.
  const auto least = hn::Set(d, -127.0F);
  x = hn::IfThenElse(hn::Lt(x, least), least, x);
#endif
  const auto n = hn::Round(x);
  const auto r = hn::Sub(x, n);
  auto p = hn::Set(d, 0.00132764515F);
  p = hn::MulAdd(p, r, hn::Set(d, 0.00967554096F));
  p = hn::MulAdd(p, r, hn::Set(d, 0.0555071346F));
  p = hn::MulAdd(p, r, hn::Set(d, 0.240221202F));
  p = hn::MulAdd(p, r, hn::Set(d, 0.693146944F));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0F));
#if HWY_TARGET <= HWY_AVX3
  return Vector{_mm512_scalef_ps(p.raw, n.raw)};
#else
  const hn::RebindToSigned<Floats> di;
  const auto power = hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127)));
  return hn::Mul(p, hn::BitCast(d, power));
#endif
}

}  // namespace exponential

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
