#include <hwy/foreach_target.h>
// Included after foreach_target.
#include "oa/base/index.h"
#include "oa/solve/heuristic/couplings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

// Sets out to scale * numbers[from, from + count), as floats.
void Widen(const qubo::Numbers& numbers,
           std::size_t from,
           int count,
           double scale,
           float* HWY_RESTRICT out) {
  const auto float_scale = static_cast<float>(scale);
  numbers.visit([&]<class T>(std::span<const T> all) HWY_ATTR {
    const T* HWY_RESTRICT in = all.data() + from;
    for (int k = 0; k < count; ++k) {
      if constexpr (std::numeric_limits<T>::is_integer) {
        out[k] = float_scale * static_cast<float>(in[k]);
      } else {
        // `scale` may exceed the range of floats.
        out[k] = static_cast<float>(scale * double{in[k]});
      }
    }
  });
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::solve {
namespace {

HWY_EXPORT(Widen);

// Functions with more couplings than this are judged by a sample of rows.
constexpr std::int64_t kManyPairs = 1 << 20;
constexpr int kSomeRows = 512;

// Exceeds any sum of couplings; the square is still a float.
constexpr double kHuge = 0x1p60;

/// Returns the common step of all coefficients; 0 if the step is below `least`.
double step_above(const qubo::Quadratic& f, double least) {
  double step = 0.0;
  const auto see = [&](double weight) {
    double a = std::abs(weight);
    while (a > 0.0) {
      step = std::exchange(a, std::fmod(step, a));
    }
  };
  for (int i = 0; i < f.size(); ++i) {
    see(f.linear[at(i)]);
    f.row(i).each([&](std::int32_t /*other*/, double weight) { see(weight); });
    if (step < least) {
      return 0.0;
    }
  }
  return step;
}

}  // namespace

Scale scale_of(const qubo::Quadratic& f) {
  const int step = f.pairs() > kManyPairs ? std::max(1, f.size() / kSomeRows) : 1;
  double most = 0.0;
  double norms = 0.0;
  int rows = 0;
  for (const double h : f.linear) {
    most = std::max(most, std::abs(h));
  }
  for (int i = 0; i < f.size(); i += step, ++rows) {
    f.row(i).each([&](std::int32_t /*other*/, double weight) {
      most = std::max(most, std::abs(weight));
    });
  }
  Scale scale;
  if (most > 0.0) {
    scale.energy = std::ldexp(1.0, -std::max(std::ilogb(most), -1000));
  }
  for (int i = 0; i < f.size(); i += step) {
    double squares = 0.0;
    f.row(i).each([&](std::int32_t /*other*/, double weight) {
      squares += weight * scale.energy * (weight * scale.energy);
    });
    norms += std::sqrt(squares);
  }
  // Without couplings, any value works.
  scale.spread = norms > 0.0 ? norms / rows : 1.0;
  if (step == 1 && !f.couplings().dense()) {
    constexpr double kMin = 1e-3;  // of the spread; smaller steps have no effect
    scale.step = scale.energy * step_above(f, kMin * scale.spread / scale.energy);
  }
  return scale;
}

Couplings::Couplings(const qubo::Quadratic& f)
    : n_(f.size()),
      stride_(num::whole_float_lines(n_)),
      f_(&f) {
  const qubo::Pairs& pairs = f.couplings();
  if (pairs.dense()) {
    scratch_ = at(stride_);
  } else {
    std::size_t longest = 0;
    for (std::size_t i = 0; i < at(n_); ++i) {
      longest = std::max(longest, pairs.begins()[i + 1] - pairs.begins()[i]);
    }
    scratch_ = at(num::whole_float_lines(static_cast<int>(longest)));
  }
  const Scale scale = scale_of(f);
  scale_ = scale.energy;
  spread_ = scale.spread;
}

CouplingRow Couplings::widened(int i, float* scratch) const {
  const qubo::Pairs& pairs = f_->couplings();
  const double scale = scale_ * f_->factor();
  if (pairs.dense()) {
    HWY_DYNAMIC_DISPATCH(Widen)
    (pairs.weights(), at(i) * at(n_), n_, scale, scratch);
    scratch[i] = 0.0F;
    std::fill(scratch + n_, scratch + stride_, 0.0F);
    return {scratch, nullptr, n_};
  }
  const std::size_t from = pairs.begins()[at(i)];
  const auto count = static_cast<int>(pairs.begins()[at(i) + 1] - from);
  HWY_DYNAMIC_DISPATCH(Widen)(pairs.weights(), from, count, scale, scratch);
  return {scratch, pairs.others().data() + from, count};
}

Couplings::Couplings(const qubo::Matrix& j)
    : n_(j.size()),
      stride_(num::whole_float_lines(n_)),
      rows_(static_cast<std::size_t>(n_) *
            static_cast<std::size_t>(stride_ / num::kFloatLine)),
      own_(static_cast<std::size_t>(n_)) {
  double most = 0.0;
  for (int i = 0; i < n_; ++i) {
    for (int k = 0; k < i; ++k) {
      most = std::max(most, std::abs(j(i, k)));
    }
  }
  if (most > 0.0) {
    scale_ = std::ldexp(1.0, -std::max(std::ilogb(most), -1000));
  }
  for (int i = 0; i < n_; ++i) {
    float* row = num::elements(rows_.data()) + static_cast<std::ptrdiff_t>(i) * stride_;
    double squares = 0.0;
    for (int k = 0; k < n_; ++k) {
      row[k] = i == k ? 0.0F : static_cast<float>(j(i, k) * scale_);
      squares += double{row[k]} * double{row[k]};
    }
    own_[static_cast<std::size_t>(i)] = 0.5 * j(i, i);
    spread_ += std::sqrt(squares) / n_;
  }
}

void Couplings::fields(std::span<const double> h, float* out) const {
  for (int i = 0; i < n_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double own = own_.empty() ? h[k] : h[k] + own_[k];
    out[i] = static_cast<float>(std::clamp(own * scale_, -kHuge, kHuge));
  }
  std::fill(out + n_, out + stride_, static_cast<float>(kHuge));
}

}  // namespace oa::solve
#endif
