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

  TokenMixer(const Config& config, const std::string& prefix, parts::Layout& layout);

  /// Without a token MLP, nothing; else that of its parts, n dim parameters if queries
  /// have vectors, and a workspace of twice (n,dim).
  [[nodiscard]] parts::Cost cost() const;
  [[nodiscard]] Workspace workspace(Arena& arena) const;

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
  int queries_;
  int dim_;
  std::optional<parts::Norm> norm_;
  std::optional<parts::Mlp> mlp_;
  int positions_ = -1;  // tensor
};

/// From what the last attention yields to the classes: token MLP, pooling over queries,
/// layer normalisation, classifier.  These tensors, the values and the coefficients are
/// all that classifying takes.
class Readout {
 public:
  struct Workspace {
    TokenMixer::Workspace mixer;
    parts::Norm::Workspace norm;
    parts::Mlp::Workspace mlp;
    num::View pooled;
    num::View dpooled;
    num::View scores;
    num::View dscores;
  };

  Readout(const Config& config, parts::Layout& layout);

  /// That of its parts, the classifier being applied to one row, and a workspace of
  /// twice the pooled width and twice the classes.
  [[nodiscard]] parts::Cost cost() const;
  [[nodiscard]] Workspace workspace(Arena& arena) const;

  /// Class scores before softmax, in the workspace.  `o` (n,dim) is overwritten.
  [[nodiscard]] std::span<const float> forward(const parts::Weights& weights,
                                               num::View o,
                                               const Workspace& workspace) const;
  /// d_o (n,dim) from the gradient of the scores.
  void backward(const parts::Weights& weights,
                std::span<const float> dscores,
                num::View d_o,
                parts::Values& gradient,
                const Workspace& workspace) const;

 private:
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

/// Class probabilities, as the softmax of scores.  In double: a probability is read by
/// people, 1e-38 is one.
[[nodiscard]] std::vector<double> probabilities(std::span<const float> scores);

}  // namespace oa::model
