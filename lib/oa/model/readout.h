#pragma once

#include "oa/model/config.h"
#include "oa/parts/layers.h"

#include <optional>
#include <span>
#include <string>

namespace oa::model {

/// What follows an attention, token by token: o + W2 GELU(W1 (LN(o) + e) + b1) + b2,
/// where e is the learned vector of the query, if the model has them.  Without a token
/// MLP in the model, o itself.
class TokenMixer {
 public:
  struct Workspace {
    parts::Norm::Workspace norm;
    parts::Mlp::Workspace mlp;
    num::View input;
    num::View branch;
  };

  /// At most `rows` queries.
  TokenMixer(const Config& config,
             const std::string& prefix,
             int rows,
             parts::Layout& layout);

  /// Without a token MLP, nothing; else that of its parts, parameters for the vectors
  /// of queries, if they have some, and a workspace of twice (n,dim).
  [[nodiscard]] parts::Cost cost(int rows) const;
  [[nodiscard]] Workspace workspace(int rows, Arena& arena) const;

  /// o (n,dim) in place.
  void forward(const parts::Weights& weights,
               num::View o,
               const Workspace& workspace) const;
  /// d_o in place.
  void backward(const parts::Weights& weights,
                num::View d_o,
                parts::Values& gradient,
                const Workspace& workspace) const;

 private:
  int dim_;
  std::optional<parts::Norm> norm_;
  std::optional<parts::Mlp> mlp_;
  int positions_ = -1;  // tensor
  std::int64_t position_parameters_ = 0;
};

/// From what the last attention yields to scores: token MLP, pooling over queries where
/// one class is asked for, layer normalisation, classifier of each row.  These tensors,
/// the values and the coefficients are all that classifying takes.
class Readout {
 public:
  struct Workspace {
    TokenMixer::Workspace mixer;
    parts::Norm::Workspace norm;
    parts::Mlp::Workspace mlp;
    num::View pooled;
    num::View dpooled;
    num::View scores;
  };

  Readout(const Config& config, parts::Layout& layout);

  /// For so many rows from the attention: that of its parts, and a workspace of twice
  /// what the classifier reads and twice the scores.
  [[nodiscard]] parts::Cost cost(int rows) const;
  [[nodiscard]] Workspace workspace(int rows, Arena& arena) const;

  /// Scores before softmax, in the workspace: a row, or where it is asked about each, a
  /// row for each of the last rows of `o` (n,dim), which is overwritten.
  [[nodiscard]] num::ConstView forward(const parts::Weights& weights,
                                       num::View o,
                                       const Workspace& workspace) const;
  /// d_o (n,dim) from the gradient of the scores.
  void backward(const parts::Weights& weights,
                num::ConstView dscores,
                num::View d_o,
                parts::Values& gradient,
                const Workspace& workspace) const;

 private:
  [[nodiscard]] bool pools() const { return config_.objective == Objective::Class; }
  void pool(num::ConstView o, num::View pooled) const;
  void pool_backward(num::ConstView dpooled, num::View d_o) const;

  Config config_;
  TokenMixer mixer_;
  parts::Norm norm_;
  std::optional<parts::Mlp> mlp_;
  std::optional<parts::Linear> linear_;
};

/// o_i = scale * a_i'V, a_i the normalised coefficients x_i: the step between a solver
/// and the readout.
void aggregate(
    const Config& config, num::ConstView x, num::ConstView v, float scale, num::View o);

/// The first row of scores: all that there is where one class is asked for.
[[nodiscard]] inline std::span<const float> first_row(num::ConstView scores) {
  return {scores.row(0), static_cast<std::size_t>(scores.cols)};
}

/// Class probabilities, as the softmax of scores.  In double: a probability is read by
/// people, 1e-38 is one.
[[nodiscard]] std::vector<double> probabilities(std::span<const float> scores);

}  // namespace oa::model
