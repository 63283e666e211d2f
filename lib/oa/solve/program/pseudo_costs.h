#pragma once

#include "oa/base/index.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace oa::solve {

/// The mean rise of bounds by each value of a variable, per unit of change.
class PseudoCosts {
 public:
  explicit PseudoCosts(int n) : all_(at(n)) {}

  void learn(std::int32_t i, std::uint8_t value, double gain) {
    for (Mean& mean : {std::ref(all_[at(i)][value]), std::ref(of_all_)}) {
      mean.sum += gain;
      ++mean.count;
    }
  }

  /// The number of known gains, for the value with fewer.
  [[nodiscard]] int known(std::int32_t i) const {
    return std::min(all_[at(i)][0].count, all_[at(i)][1].count);
  }

  /// The merit of branching on variable i at value x.
  [[nodiscard]] double score(std::int32_t i, double x) const {
    return product(x * mean(i, 0), (1.0 - x) * mean(i, 1));
  }
  [[nodiscard]] static double product(double zero, double one) {
    constexpr double kMin = 1e-6;
    return std::max(kMin, zero) * std::max(kMin, one);
  }

 private:
  struct Mean {
    double sum = 0.0;
    int count = 0;
  };

  [[nodiscard]] double mean(std::int32_t i, std::uint8_t value) const {
    const Mean& own = all_[at(i)][value];
    const Mean& mean = own.count > 0 ? own : of_all_;
    return mean.count > 0 ? mean.sum / mean.count : 1.0;
  }

  std::vector<std::array<Mean, 2>> all_;
  Mean of_all_;
};

}  // namespace oa::solve
