#pragma once

#include "oa/model/config.h"
#include "oa/model/input.h"
#include "oa/parts/layers.h"

#include <optional>

namespace oa::model {

/// Embeds a sequence as tokens (m, token_width).  A token is a learned vector of its
/// id, optionally plus a learned vector of the previous id, plus a learned position.
/// A token's own vector comes first, or is mapped by an MLP and added.
class SequenceEmbedding {
 public:
  struct Workspace {
    num::View vectors;  // input of the MLP
    parts::Mlp::Workspace mlp;
    num::View made;  // output of the MLP
  };

  SequenceEmbedding(const Config& config, parts::Layout& layout);

  /// The cost of the MLP, if any, and the parameters of lookups.
  [[nodiscard]] parts::Cost cost(int tokens) const;
  [[nodiscard]] Workspace workspace(int tokens, Arena& arena) const;

  void forward(const parts::Weights& weights,
               const Input& input,
               num::View tokens,
               const Workspace& workspace) const;
  /// Adds gradients; `input` is the input of the last forward().
  void backward(const parts::Weights& weights,
                const Input& input,
                num::View dtokens,
                parts::Values& gradient,
                const Workspace& workspace) const;

 private:
  /// Calls f(row, tensor, id) for each lookup.
  template <class F>
  void each_lookup(const Input& input, F&& f) const;

  int ids_ = -1;  // tensors; -1: missing
  int previous_ = -1;
  int positions_ = -1;
  int first_id_column_ = 0;
  int dim_;
  int vector_width_;
  std::int64_t looked_up_ = 0;  // number of parameters looked up
  std::optional<parts::Mlp> mlp_;
};

}  // namespace oa::model
