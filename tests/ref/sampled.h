#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace oa::ref {

/// The mean of each variable over states.
inline std::vector<double> means_of(
    const std::vector<std::vector<std::uint8_t>>& states) {
  std::vector<double> means(states.empty() ? 0 : states.front().size());
  for (const std::vector<std::uint8_t>& x : states) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      means[i] += x[i] != 0 ? 1.0 / static_cast<double>(states.size()) : 0.0;
    }
  }
  return means;
}

/// The largest distance in standard errors, less what rare states may add.
inline double worst(const std::vector<double>& means,
                    const std::vector<double>& ones,
                    double effective) {
  double most = 0.0;
  for (std::size_t i = 0; i < ones.size(); ++i) {
    const double error =
        std::sqrt(std::max(ones[i] * (1.0 - ones[i]), 1e-6) / effective);
    const double rare = 4.5 * 4.5 / 6.0 / effective;
    most = std::max(most, (std::abs(means[i] - ones[i]) - rare) / error);
  }
  return most;
}

}  // namespace oa::ref
