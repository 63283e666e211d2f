#pragma once

#include "oa/model/readout.h"
#include "oa/qubo/problem.h"

#include <map>
#include <span>
#include <string>

namespace oa::score {

/// The tensors that classify given coefficients; the head frame of a stream has them.
[[nodiscard]] parts::Layout readout_layout(const model::Config& config);

/// Computes scores from the solutions of an example: the outputs of the last layer,
/// then the readout.  Owns memory for one example of each length; each thread needs its
/// own.
class Classifier {
 public:
  /// `values` belong to readout_layout(config).
  Classifier(const model::Config& config, const parts::Values& values);

  /// Why these are not the solutions of all heads of the last layer for one example, or
  /// empty.
  [[nodiscard]] std::string refusal(std::span<const qubo::SolvedProblem> heads) const;

  /// The scores of the example.  refusal() must be empty.
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
