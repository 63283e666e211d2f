#pragma once

#include "oa/model/readout.h"
#include "oa/qubo/problem.h"

#include <map>
#include <span>
#include <string>

namespace oa::score {

/// Tensors that classify given coefficients, as stored in a stream's head.
[[nodiscard]] parts::Layout readout_layout(const model::Config& config);

/// Computes scores from the solutions of an example:
/// the outputs of the last layer, then the readout.
/// Keeps memory for each length of example.  Each thread needs its own Classifier.
class Classifier {
 public:
  /// `values` have the layout readout_layout(config).
  Classifier(const model::Config& config, const parts::Values& values);

  /// Explains why `heads` are not the solutions of all heads of the last layer for one
  /// example; empty if they are.
  [[nodiscard]] std::string refusal(std::span<const qubo::SolvedProblem> heads) const;

  /// Computes the scores of the example, for which refusal() is empty.
  [[nodiscard]] num::ConstView scores(std::span<const qubo::SolvedProblem> heads);

 private:
  struct Place {
    Place(const model::Readout& readout, int rows, int dim);
    Arena arena;
    model::Readout::Workspace workspace;
    num::Matrix output;
  };

  model::Config config_;
  parts::Layout layout_;
  model::Readout readout_;
  parts::Weights weights_;
  int heads_;
  attention::Normalization how_;
  std::map<int, Place> places_;  // by number of rows
};

}  // namespace oa::score
