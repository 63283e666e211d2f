#pragma once

#include "oa/model/config.h"
#include "oa/parts/layers.h"

#include <optional>
#include <span>
#include <string>

namespace oa::model {

/// The part after an attention, for each token: o + W2 GELU(W1 (LN(o) + e) + b1) + b2,
/// where e is the query's learned vector, if any.
/// Without a token MLP, the part returns o.
class TokenMixer {
 public:
  struct Workspace {
    parts::Norm::Workspace norm;
    parts::Mlp::Workspace mlp;
    num::View input;
    num::View branch;
  };

  /// `rows`: the largest number of queries.
  TokenMixer(const Config& config,
             const std::string& prefix,
             int rows,
             parts::Layout& layout);

  /// Zero without a token MLP; else the cost of the parts, parameters for the queries'
  /// vectors, and a workspace of twice (n,dim).
  [[nodiscard]] parts::Cost cost(int rows) const;
  [[nodiscard]] Workspace workspace(int rows, Arena& arena) const;

  /// Changes o (n,dim) in place.
  void forward(const parts::Weights& weights,
               num::View o,
               const Workspace& workspace) const;
  /// Changes the gradient d_o in place.
  void backward(const parts::Weights& weights,
                num::View d_o,
                parts::Values& gradient,
                const Workspace& workspace) const;

 private:
  int dim_;
  std::optional<parts::Norm> norm_;
  std::optional<parts::Mlp> mlp_;
  int positions_ = -1;  // tensor of the queries' vectors
  std::int64_t position_parameters_ = 0;
};

/// Computes scores from the output of the last attention: token MLP, pooling over
/// queries for one class, layer normalisation, classifier of each row.  A stream's head
/// has these tensors: together with values and coefficients they suffice to classify.
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

  /// The cost for `rows` rows of the attention: that of the parts,
  /// and a workspace of twice the classifier's input and twice the scores.
  [[nodiscard]] parts::Cost cost(int rows) const;
  [[nodiscard]] Workspace workspace(int rows, Arena& arena) const;

  /// Computes scores before softmax, in the workspace: one row, or a row for each of
  /// the last rows of `o` (n,dim), which is overwritten.
  [[nodiscard]] num::ConstView forward(const parts::Weights& weights,
                                       num::View o,
                                       const Workspace& workspace) const;
  /// Computes d_o (n,dim) from the gradient of the scores.
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

/// Computes o_i = scale * a_i'V, where a_i are the normalised coefficients x_i: the
/// step from a solver to the readout.
void aggregate(
    const Config& config, num::ConstView x, num::ConstView v, float scale, num::View o);

/// Returns the first row of scores, the only row for one class.
[[nodiscard]] inline std::span<const float> first_row(num::ConstView scores) {
  return {scores.row(0), static_cast<std::size_t>(scores.cols)};
}

/// Returns the softmax of scores, in double precision:
/// users may read probabilities as small as 1e-38.
[[nodiscard]] std::vector<double> probabilities(std::span<const float> scores);

}  // namespace oa::model
