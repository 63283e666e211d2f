#pragma once

#include "oa/model/readout.h"
#include "oa/qubo/problem.h"

#include <vector>

namespace oa::score {

/// The tensors that classifying takes once coefficients are known: what the head of a
/// stream carries.
[[nodiscard]] parts::Layout readout_layout(const model::Config& config);

/// From the solutions of an image's problems to class probabilities: o_i = a_i'V with
/// a_i the normalised coefficients, then the model's readout.  Owns memory for one
/// image: one per thread.
class Classifier {
 public:
  /// `values` belong to readout_layout(config).
  Classifier(const model::Config& config, const parts::Values& values);

  /// The solution must have the model's width and number of queries, all of one size,
  /// of one head (see fits()).
  [[nodiscard]] std::vector<double> classify(const qubo::ImageSolution& solution);

  [[nodiscard]] bool fits(const qubo::ImageProblem& problem) const {
    return problem.d == config_.dim && problem.n == config_.query_count() &&
           problem.sizes.empty() && problem.heads == 1;
  }

 private:
  model::Config config_;
  parts::Layout layout_;
  model::Readout readout_;
  Arena arena_;
  model::Readout::Workspace workspace_;
  parts::Weights weights_;
  num::Matrix output_;
};

}  // namespace oa::score
