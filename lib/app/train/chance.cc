#include "app/train/chance.h"

#include "app/train/initial_model.h"
#include "oa/base/number.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace oa::app {
namespace {

/// The probability that at least `correct` of `count` answers are right, if each is
/// right with probability p.
double at_least(std::int64_t correct, std::int64_t count, double p) {
  const auto n = static_cast<double>(count);
  double sum = 0.0;
  for (std::int64_t i = correct; i <= count; ++i) {
    const auto k = static_cast<double>(i);
    sum +=
        std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) -
                 std::lgamma(n - k + 1.0) + k * std::log(p) + (n - k) * std::log1p(-p));
  }
  return sum;
}

}  // namespace

std::string chance_warning(std::int64_t correct,
                           std::span<const std::int64_t> of_class) {
  const auto count = std::accumulate(of_class.begin(), of_class.end(), std::int64_t{0});
  const std::int64_t largest = count > 0 ? std::ranges::max(of_class) : 0;
  if (largest == count) {
    return {};  // no examples, or only one class
  }
  const auto share = [&](std::int64_t of) {
    return static_cast<double>(of) / static_cast<double>(count);
  };
  constexpr double kLuck = 0.05;
  if (at_least(correct, count, share(largest)) <= kLuck) {
    return {};
  }
  return "held-out accuracy " + percent(share(correct)) +
         " is no better than chance: the largest class is " + percent(share(largest)) +
         " of " + format_grouped(count) + " examples";
}

}  // namespace oa::app
