#include "oa/base/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace oa {

void Histogram::add(double value) {
  const double octave = std::log2(std::max(value, 0x1p-40)) - kLowest;
  const auto bin = static_cast<std::int64_t>(octave * kPerOctave);
  ++bins_[static_cast<std::size_t>(std::clamp<std::int64_t>(bin, 0, kBins - 1))];
  ++count_;
  sum_ += value;
  max_ = std::max(max_, value);
}

double Histogram::quantile(double p) const {
  if (count_ == 0) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const auto wanted =
      static_cast<std::int64_t>(std::ceil(p * static_cast<double>(count_)));
  if (wanted >= count_) {
    return max_;
  }
  std::int64_t seen = 0;
  for (int bin = 0; bin < kBins; ++bin) {
    seen += bins_[static_cast<std::size_t>(bin)];
    if (seen >= std::max<std::int64_t>(wanted, 1)) {
      return std::min(max_, std::exp2(kLowest + (bin + 0.5) / kPerOctave));
    }
  }
  return max_;
}

}  // namespace oa
