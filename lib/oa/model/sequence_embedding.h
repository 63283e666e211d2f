#pragma once

#include "oa/model/config.h"
#include "oa/model/input.h"
#include "oa/parts/layers.h"

#include <optional>

namespace oa::model {

/// Sequence -> tokens (m, token_width): a learned vector for each id, and one for the
/// id before it if the model says so; vectors as they are before those, or through an
/// MLP and added; a learned position.
class SequenceEmbedding {
 public:
  struct Workspace {
    num::View vectors;  // as a matrix, where an MLP reads them
    parts::Mlp::Workspace mlp;
    num::View made;  // by the MLP
  };

  SequenceEmbedding(const Config& config, parts::Layout& layout);

  /// That of the MLP, if there is one, and the parameters of what is looked up.
  [[nodiscard]] parts::Cost cost(int tokens) const;
  [[nodiscard]] Workspace workspace(int tokens, Arena& arena) const;

  void forward(const parts::Weights& weights,
               const Input& input,
               num::View tokens,
               const Workspace& workspace) const;
  /// `input` is that of the last forward.
  void backward(const parts::Weights& weights,
                const Input& input,
                num::View dtokens,
                parts::Values& gradient,
                const Workspace& workspace) const;

 private:
  /// Calls f(row, tensor, id) for every vector that is looked up.
  template <class F>
  void each_lookup(const Input& input, F&& f) const;

  int ids_ = -1;  // tensors, or -1
  int previous_ = -1;
  int positions_ = -1;
  int first_id_column_ = 0;
  int dim_;
  int vector_width_;
  std::int64_t looked_up_ = 0;  // parameters
  std::optional<parts::Mlp> mlp_;
};

}  // namespace oa::model
