#pragma once

#include "oa/model/objective.h"

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

/// The loss of an example of any objective, a mean over what is asked about it, and its
/// gradient: cross-entropy of classes and cells, binary cross-entropy of what is in
/// sets and pictures.  `settings` are for one class.
[[nodiscard]] double loss_of(Objective objective,
                             num::ConstView scores,
                             const model::Answer& answer,
                             const LossSettings& settings,
                             num::View dscores);

}  // namespace oa::train
