#pragma once

#include "oa/model/readout.h"
#include "oa/qubo/problem.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace oa::score {

/// The tensors that classifying takes once coefficients are known: what the head of a
/// stream carries.
[[nodiscard]] parts::Layout readout_layout(const model::Config& config);

/// From the solutions of an example's problems to scores: what the heads of the last
/// layer yield, then the model's readout.  Owns memory for one example of each length:
/// one per thread.
class Classifier {
 public:
  /// `values` belong to readout_layout(config).
  Classifier(const model::Config& config, const parts::Values& values);

  /// Why these are not the solutions of all heads of the last layer for an example;
  /// empty if they are.
  [[nodiscard]] std::string refusal(std::span<const qubo::SolvedProblem> heads) const;

  /// The scores of the example; refusal() is empty.
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
  std::map<int, Place> places_;  // by rows
};

}  // namespace oa::score
