#include "oa/solve/method/result.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace oa::solve {
namespace {

bool before(const TwoDoubles& energy,
            std::span<const std::uint8_t> x,
            const Solution& s) {
  return energy != s.value() ? energy < s.value()
                             : std::memcmp(x.data(), s.x.data(), x.size()) < 0;
}

}  // namespace

bool operator<(const Solution& a, const Solution& b) {
  return before(a.value(), a.x, b);
}

bool Pool::insert(const TwoDoubles& energy, std::span<const std::uint8_t> x) {
  if (full() && !before(energy, x, worst())) {
    return false;
  }
  const auto place = std::partition_point(
      best_.begin(), best_.end(), [&](const auto& s) { return !before(energy, x, s); });
  if (place != best_.begin()) {
    const Solution& previous = *std::prev(place);
    if (previous.value() == energy &&
        std::equal(x.begin(), x.end(), previous.x.begin())) {
      return false;
    }
  }
  if (!full()) {
    best_.insert(place, Solution{energy, {x.begin(), x.end()}});
    return true;
  }
  // The new solution reuses the memory of the worst solution.
  best_.back().energy = energy.value;
  best_.back().rest = energy.rest;
  std::copy(x.begin(), x.end(), best_.back().x.begin());
  std::rotate(place, std::prev(best_.end()), best_.end());
  return true;
}

double Pool::limit(double window) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double most = full() ? worst().energy : kInfinity;
  if (std::isinf(window) || best_.size() + 1 < capacity_ || capacity_ == 1) {
    return most;
  }
  // One more double covers the remainder of the energy and the rounding of the sum.
  return std::min(most,
                  std::nextafter(best_[capacity_ - 2].energy + window, kInfinity));
}

}  // namespace oa::solve
