#pragma once

#include "oa/base/index.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace oa::solve {

/// The mean rise of bounds for each value of a variable, per unit of the variable.
class PseudoCosts {
 public:
  explicit PseudoCosts(int n) : all_(at(n)) {}

  void learn(std::int32_t i, std::uint8_t value, double gain) {
    for (Mean& mean : {std::ref(all_[at(i)][value]), std::ref(of_all_)}) {
      mean.sum += gain;
      ++mean.count;
    }
  }

  /// The number of gains known for the value of which fewer are.
  [[nodiscard]] int known(std::int32_t i) const {
    return std::min(all_[at(i)][0].count, all_[at(i)][1].count);
  }

  /// How useful it is to divide at a variable of this value.
  [[nodiscard]] double score(std::int32_t i, double x) const {
    return product(x * mean(i, 0), (1.0 - x) * mean(i, 1));
  }
  [[nodiscard]] static double product(double zero, double one) {
    constexpr double kLeast = 1e-6;
    return std::max(kLeast, zero) * std::max(kLeast, one);
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
