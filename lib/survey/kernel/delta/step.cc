#include "survey/kernel/delta/step.h"

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so after foreach_target.h
#include "oa/attention/kernel/partial_load-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

// Complete unrolling keeps the vectors of a slab in registers.
#define OA_UNROLL _Pragma("GCC unroll 4")

// Updates kVectors vectors of columns from column j on.
template <int kVectors>
HWY_INLINE HWY_ATTR void step_columns(const DeltaStep& at, int j) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int rows = at.state.rows;
  Vector error[kVectors];
  Vector out[kVectors];
  OA_UNROLL for (int c = 0; c < kVectors; ++c) {
    error[c] = hn::Zero(d);
    out[c] = hn::Zero(d);
  }
  for (int i = 0; i < rows; ++i) {
    const auto key = hn::Set(d, at.k[i] * at.decay[i]);
    const float* row = at.state.row(i) + j;
    OA_UNROLL for (int c = 0; c < kVectors; ++c) {
      error[c] = hn::MulAdd(key, hn::Load(d, row + c * lanes), error[c]);
    }
  }
  OA_UNROLL for (int c = 0; c < kVectors; ++c) {
    const int from = j + c * lanes;
    const int some = at.state.cols - from;
    error[c] =
        hn::Mul(hn::Set(d, at.step), hn::Sub(load_some(at.v + from, some), error[c]));
  }
  for (int i = 0; i < rows; ++i) {
    const auto decay = hn::Set(d, at.decay[i]);
    const auto key = hn::Set(d, at.k[i]);
    const auto query = hn::Set(d, at.q[i]);
    float* row = at.state.row(i) + j;
    OA_UNROLL for (int c = 0; c < kVectors; ++c) {
      const auto old = hn::Mul(decay, hn::Load(d, row + c * lanes));
      const auto next = hn::MulAdd(key, error[c], old);
      hn::Store(next, d, row + c * lanes);
      out[c] = hn::MulAdd(query, next, out[c]);
    }
  }
  OA_UNROLL for (int c = 0; c < kVectors; ++c) {
    const int from = j + c * lanes;
    store_some(out[c], at.o + from, at.state.cols - from);
  }
}

#undef OA_UNROLL

HWY_ATTR void step_state(const DeltaStep& at) {
  constexpr int kSlab = 4;
  const int lanes = static_cast<int>(hn::Lanes(Floats()));
  int j = 0;
  for (; j + kSlab * lanes <= at.state.stride; j += kSlab * lanes) {
    step_columns<kSlab>(at, j);
  }
  for (; j < at.state.stride; j += lanes) {
    step_columns<1>(at, j);
  }
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(step_state);

}  // namespace

void delta_step(const DeltaStep& at) {
  HWY_DYNAMIC_DISPATCH(step_state)(at);
}

}  // namespace oa::attention
#endif
