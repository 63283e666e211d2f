#pragma once

#include "oa/data/selection.h"
#include "oa/model/network.h"
#include "oa/train/loss.h"
#include "oa/train/ranks.h"
#include "oa/train/settings.h"
#include "oa/train/source.h"

#include <vector>

namespace oa::train {

/// Statistics of an attention layer over all evaluated examples.
struct LayerStatistics {
  double ones = 0.0;        ///< share of coefficients above 1/2
  double similarity = 0.0;  ///< mean cosine between q_i and v_i, if both exist
};

struct Evaluation {
  int examples = 0;
  model::Tally tally;
  double loss = 0.0;      ///< mean of evaluation_loss()
  double residual = 0.0;  ///< the largest of the box QPs' residuals
  std::vector<LayerStatistics> layers;

  [[nodiscard]] double accuracy() const { return tally.share(); }
};

/// The loss of evaluations: that of training, but with true labels.
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

/// The examples first .. last - 1 that this rank, or rank `rank` of `count`, evaluates.
[[nodiscard]] ExampleRange evaluated_examples(const Ranks& ranks, int first, int last);
[[nodiscard]] ExampleRange evaluated_examples(int rank, int count, int first, int last);

/// Evaluates on all ranks, each with its evaluated_examples().  All ranks get the
/// result that one process would get with all examples.
[[nodiscard]] Evaluation evaluate(Ranks& ranks,
                                  const model::Model& model,
                                  const attention::SolverSettings& solver,
                                  const LossSettings& loss,
                                  const Dataset& share,
                                  int threads);

}  // namespace oa::train
