#pragma once

#include "oa/train/ranks.h"

#include <algorithm>
#include <cstdint>

namespace oa::train {

/// Divides the examples of an epoch into batches, one per step, and each batch into
/// parts, whose gradients are summed in order.
struct Batches {
  std::int64_t examples = 0;
  std::int64_t batch = 1;
  int parts = 1;

  [[nodiscard]] std::int64_t steps() const { return (examples + batch - 1) / batch; }

  /// The examples of a step, as positions in the epoch's order.
  [[nodiscard]] Share of_step(std::int64_t step) const {
    return {step * batch, std::min(step * batch + batch, examples)};
  }

  /// The examples of parts [first, last) of the step.
  [[nodiscard]] Share of_parts(std::int64_t step, Share some) const {
    const Share all = of_step(step);
    const std::int64_t count = all.last - all.first;
    return {all.first + some.first * count / parts,
            all.first + some.last * count / parts};
  }
};

}  // namespace oa::train
