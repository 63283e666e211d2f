#include "oa/solve/couplings.h"

#include <algorithm>
#include <cmath>

namespace oa::solve {
namespace {

// Larger than any sum of couplings, and its square is still a float.
constexpr double kHuge = 0x1p60;

}  // namespace

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
    out[i] = static_cast<float>(std::clamp((h[k] + own_[k]) * scale_, -kHuge, kHuge));
  }
  std::fill(out + n_, out + stride_, static_cast<float>(kHuge));
}

}  // namespace oa::solve
