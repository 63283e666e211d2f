#pragma once

#include "oa/model/objective.h"

#include <span>

namespace oa::train {

struct LossSettings {
  double smoothing = 0.0;       ///< share of the label's weight spread over all classes
  bool double_softmax = false;  ///< the reference's loss: cross-entropy of softmax(p)
};

/// Cross-entropy of class scores; `dscores` receives its gradient times `weight`.
[[nodiscard]] double cross_entropy(std::span<const float> scores,
                                   int label,
                                   const LossSettings& settings,
                                   double weight,
                                   std::span<float> dscores);

/// The mean loss over an example's questions, with its gradient: cross-entropy for
/// classes and cells, binary cross-entropy for sets and for presence of classes.
/// `settings` apply to objectives with one class.
[[nodiscard]] double loss_of(Objective objective,
                             num::ConstView scores,
                             const model::Answer& answer,
                             const LossSettings& settings,
                             num::View dscores);

}  // namespace oa::train
