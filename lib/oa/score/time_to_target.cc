#include "oa/score/time_to_target.h"

#include "oa/score/score.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace oa::score {
namespace {

constexpr double kNormal =
    1.959963984540054;  // the 97.5 % quantile of the normal distribution

/// The number of runs of which at least one hits with a probability of 99 %,
/// from the share of hits.
double repetitions(double hits) {
  constexpr double kMissed = 0.01;
  if (hits <= 0.0) {
    return std::numeric_limits<double>::infinity();
  }
  return hits >= 1.0 ? 1.0 : std::max(1.0, std::log(kMissed) / std::log1p(-hits));
}

struct Mean {
  double value = 0.0;
  double half = 0.0;  // half the width of the 95 % interval of its logarithm
};

Mean mean_of(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  Mean mean;
  mean.value = std::accumulate(values.begin(), values.end(), 0.0) / count;
  if (values.size() > 1 && mean.value > 0.0) {
    double squares = 0.0;
    for (const double v : values) {
      squares += (v - mean.value) * (v - mean.value);
    }
    mean.half = kNormal * std::sqrt(squares / (count - 1.0) / count) / mean.value;
  }
  return mean;
}

}  // namespace

// The time is the mean time of a run times the number of runs.
// The interval of its logarithm, a sum, follows from those of the terms:
// Zou and Donner, "Construction of confidence limits about effect measures:
// a general approach", Statistics in Medicine 27 (2008).
Interval time_to_target(std::span<const double> seconds, std::int64_t hits) {
  const Share share{hits, std::ssize(seconds)};
  const Mean mean = mean_of(seconds);
  const double likely = repetitions(share.value());
  const double few = repetitions(share.high());
  const double many = repetitions(share.low());
  Interval all{mean.value * likely, 0.0, std::numeric_limits<double>::infinity()};
  if (hits == 0) {
    all.low = mean.value * few * std::exp(-mean.half);
    return all;
  }
  all.low = all.value * std::exp(-std::hypot(std::log(likely / few), mean.half));
  if (std::isfinite(many)) {
    all.high = all.value * std::exp(std::hypot(std::log(many / likely), mean.half));
  }
  return all;
}

}  // namespace oa::score
