#pragma once

#include <span>

namespace oa::train {

struct LossSettings {
  double smoothing = 0.0;       ///< share of the label spread over all classes
  bool double_softmax = false;  ///< the reference's loss: cross-entropy of softmax(p)
};

/// Cross-entropy of class scores; `dscores` becomes its gradient times `weight`.
[[nodiscard]] double cross_entropy(std::span<const float> scores,
                                   int label,
                                   const LossSettings& settings,
                                   double weight,
                                   std::span<float> dscores);

}  // namespace oa::train
