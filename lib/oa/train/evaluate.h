#pragma once

#include "oa/data/selection.h"
#include "oa/model/network.h"
#include "oa/train/loss.h"
#include "oa/train/ranks.h"
#include "oa/train/settings.h"
#include "oa/train/source.h"

#include <vector>

namespace oa::train {

/// Statistics of a layer of attention over all evaluated examples.
struct LayerStatistics {
  double ones = 0.0;        ///< share of coefficients above half of their maximum 1
  double similarity = 0.0;  ///< mean cosine of q_i and v_i, if both exist
};

struct Evaluation {
  int examples = 0;
  model::Tally tally;
  double loss = 0.0;      ///< mean of the loss in the settings
  double residual = 0.0;  ///< the worst of the box QPs
  std::vector<LayerStatistics> layers;

  [[nodiscard]] double accuracy() const { return tally.share(); }
};

/// The loss that is reported for other than training examples: that of training, with
/// true labels.
[[nodiscard]] inline LossSettings evaluation_loss(const Settings& settings) {
  return {0.0, settings.double_softmax};
}

/// Runs the model over examples [first, last) of `data`, which has labels or targets.
/// The result does not depend on `threads`.
[[nodiscard]] Evaluation evaluate(const model::Model& model,
                                  const attention::SolverSettings& solver,
                                  const LossSettings& loss,
                                  const Dataset& data,
                                  int first,
                                  int last,
                                  int threads);

/// The examples of [first, last) that this rank, or rank `rank` of `count`, evaluates.
[[nodiscard]] ExampleRange evaluated_examples(const Ranks& ranks, int first, int last);
[[nodiscard]] ExampleRange evaluated_examples(int rank, int count, int first, int last);

/// evaluate() by all ranks, each with its evaluated_examples(); each gets the result of
/// one process with all examples.
[[nodiscard]] Evaluation evaluate(Ranks& ranks,
                                  const model::Model& model,
                                  const attention::SolverSettings& solver,
                                  const LossSettings& loss,
                                  const Dataset& share,
                                  int threads);

}  // namespace oa::train
