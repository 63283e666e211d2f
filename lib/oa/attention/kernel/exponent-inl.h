// exp(x) in vectors of floats; included once for each instruction set, by kernels.
#if defined(OA_ATTENTION_KERNEL_EXPONENT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_ATTENTION_KERNEL_EXPONENT_INL
#undef OA_ATTENTION_KERNEL_EXPONENT_INL
#else
#define OA_ATTENTION_KERNEL_EXPONENT_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// 2^x with a relative error below 2.4e-7; 0 for x < -126, and x above 127 counts as
/// 127. A NaN stays one.  2^x = 2^n p(r) with n = round(x), r in [-1/2, 1/2] and the
/// minimax polynomial p of degree 5 whose constant is 1.
template <class D>
HWY_INLINE hn::Vec<D> exp2_of(D d, hn::Vec<D> x) {
  // Written as choices: Min and Max lose a NaN on some machines.
  const auto low = hn::Lt(x, hn::Set(d, -126.0F));
  x = hn::IfThenElse(
      hn::Gt(x, hn::Set(d, 127.0F)), hn::Set(d, 127.0F), hn::IfThenZeroElse(low, x));
  const auto n = hn::Round(x);
  const auto r = hn::Sub(x, n);
  auto p = hn::Set(d, 0.00132764515F);
  p = hn::MulAdd(p, r, hn::Set(d, 0.00967554096F));
  p = hn::MulAdd(p, r, hn::Set(d, 0.0555071346F));
  p = hn::MulAdd(p, r, hn::Set(d, 0.240221202F));
  p = hn::MulAdd(p, r, hn::Set(d, 0.693146944F));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0F));
  const hn::RebindToSigned<D> di;
  const auto power = hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127)));
  return hn::IfThenZeroElse(low, hn::Mul(p, hn::BitCast(d, power)));
}

/// exp(x), from 2^(x log2 e): for x far below 0 its relative error grows to 2^-24 |x|.
template <class D>
HWY_INLINE hn::Vec<D> exp_of(D d, hn::Vec<D> x) {
  return exp2_of(d, hn::Mul(x, hn::Set(d, 1.44269504F)));
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
