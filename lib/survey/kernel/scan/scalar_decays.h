#pragma once

#include "oa/base/arena.h"
#include "oa/base/index.h"
#include "survey/kernel/scan/blocks.h"
#include "survey/kernel/scan/outer_scan.h"

#include <array>
#include <span>

namespace oa::attention {

/// The decays of a block with one factor of the whole state for each token.
/// Logarithms are converted to segments. b_t is the sum of logarithms since the start
/// of a segment, where the state is multiplied by `factors`.
struct ScalarDecays {
  ScalarDecays(int rows, Arena& arena)
      : width(rows),
        factors(zeroed_floats((kScanSteps + 1) * rows, arena)) {}

  /// Converts `logs` of `count` tokens.
  void make(int count);

  [[nodiscard]] std::span<const ScanSegment> all() const {
    return std::span(segments).first(at(used) + 1);
  }

  int width;
  float* factors;
  std::array<float, kScanSteps> logs{};
  std::array<float, kScanSteps> begins{};  // factor at the start of a segment, else 1
  std::array<float, kScanSteps> shrink{};  // exp(b_t)
  std::array<float, kScanSteps> grow{};    // exp(-b_t)
  float last = 1.0F;  // factor of the state at the end of the block
  std::array<ScanSegment, kScanSteps + 2> segments;
  int used = 0;  // decays
};

}  // namespace oa::attention
