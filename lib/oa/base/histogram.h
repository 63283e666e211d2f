#pragma once

#include <array>
#include <cstdint>

namespace oa {

/// Quantiles of any number of positive values in constant memory, within 2.2 %.
/// Counts values in bins whose edges grow by a factor of 2^(1/16).
/// Values below 2^-40 count as 2^-40.
class Histogram {
 public:
  void add(double value);

  /// The p-quantile: a share `p` of the values does not exceed it.  NaN if empty.
  [[nodiscard]] double quantile(double p) const;
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] double sum() const { return sum_; }
  [[nodiscard]] double max() const { return max_; }  ///< 0 without values

 private:
  static constexpr int kPerOctave = 16;
  static constexpr int kLowest = -40;
  static constexpr int kBins = 64 * kPerOctave;

  std::array<std::int64_t, kBins> bins_{};
  std::int64_t count_ = 0;
  double sum_ = 0.0;
  double max_ = 0.0;
};

}  // namespace oa
