#include "survey/kernel/scan/state_rows.h"

#include "oa/num/matrix.h"

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, num::kLane>;

HWY_ATTR float step_sum_rows(const SumStep& s, float* u, int width) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto factor = hn::Set(d, s.factor);
  const auto weight = hn::Set(d, s.weight);
  const auto share = hn::Set(d, s.share);
  auto product = hn::Zero(d);
  for (int j = 0; j < width; j += lanes) {
    auto sum = hn::Mul(factor, hn::Load(d, u + j));
    sum = hn::MulAdd(weight, hn::Load(d, s.x + j), sum);
    hn::Store(sum, d, u + j);
    if (s.by != nullptr) {
      product = hn::MulAdd(hn::Load(d, s.by + j), sum, product);
    }
    if (s.to != nullptr) {
      hn::Store(hn::MulAdd(share, sum, hn::Load(d, s.to + j)), d, s.to + j);
    }
  }
  return hn::GetLane(hn::SumOfLanes(d, product));
}

HWY_ATTR void scale_rows(const float* x, float factor, float* to, int width) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto by = hn::Set(d, factor);
  for (int j = 0; j < width; j += lanes) {
    hn::Store(hn::Mul(by, hn::Load(d, x + j)), d, to + j);
  }
}

HWY_ATTR float dot_rows(const float* a, const float* b, int width) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto sum = hn::Zero(d);
  for (int j = 0; j < width; j += lanes) {
    sum = hn::MulAdd(hn::Load(d, a + j), hn::Load(d, b + j), sum);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(step_sum_rows);
HWY_EXPORT(scale_rows);
HWY_EXPORT(dot_rows);

}  // namespace

float step_sum(const SumStep& step, float* u, int width) {
  return HWY_DYNAMIC_DISPATCH(step_sum_rows)(step, u, width);
}

void scale_row(const float* x, float factor, float* to, int width) {
  HWY_DYNAMIC_DISPATCH(scale_rows)(x, factor, to, width);
}

float dot_row(const float* a, const float* b, int width) {
  return HWY_DYNAMIC_DISPATCH(dot_rows)(a, b, width);
}

}  // namespace oa::attention
#endif
