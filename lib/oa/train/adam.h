#pragma once

#include "oa/parts/params.h"

#include <cstdint>

namespace oa::train {

/// Adam (Kingma and Ba, arXiv:1412.6980) with decoupled weight decay on matrices
/// (Loshchilov and Hutter, arXiv:1711.05101).
struct Adam {
  static constexpr float kBeta1 = 0.9F;
  static constexpr float kBeta2 = 0.999F;
  static constexpr float kEpsilon = 1e-8F;

  explicit Adam(const parts::Layout& layout) : first(layout), second(layout) {}

  /// Subtracts the step of `gradient` from `values` after `count` earlier steps.
  void step(const parts::Layout& layout,
            const parts::Values& gradient,
            double rate,
            double weight_decay,
            std::int64_t count,
            parts::Values& values);

  parts::Values first;   ///< running mean of the gradient
  parts::Values second;  ///< running mean of the squared gradient
};

}  // namespace oa::train
