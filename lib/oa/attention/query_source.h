#pragma once

#include "oa/attention/site.h"
#include "oa/parts/layers.h"

#include <optional>

namespace oa::attention {

/// Where queries come from: the map Wq of the tokens, or of those that ask, or vectors
/// learned once for all images.
class QuerySource {
 public:
  struct Workspace {
    num::View q;  ///< (n,dim), after forward
    parts::Projection::Workspace map;
  };

  QuerySource(const Site& site,
              parts::Layout& layout,
              parts::MapStyle style = parts::MapStyle::Normalized);

  /// That of the projection, or n dim parameters and no FLOPs; and (n,dim) of
  /// workspace.
  [[nodiscard]] parts::Cost cost(int tokens) const;
  [[nodiscard]] Workspace workspace(int tokens, Arena& arena) const;

  void forward(const parts::Weights& weights,
               num::ConstView x,
               const Workspace& workspace) const;
  /// Overwrites dq; dx += the share of the tokens.
  void backward(const parts::Weights& weights,
                num::ConstView x,
                num::View dq,
                num::View dx,
                parts::Values& gradient,
                const Workspace& workspace) const;

 private:
  [[nodiscard]] int rows(int tokens) const {
    return learned_ > 0 ? learned_ : asking_ > 0 ? asking_ : tokens;
  }
  /// The rows of the tokens that ask.
  template <class Matrix>
  [[nodiscard]] Matrix asking(Matrix x) const {
    const int count = asking_ > 0 ? asking_ : x.rows;
    return {x.row(x.rows - count), count, x.cols, x.stride};
  }

  int dim_;
  std::optional<parts::Projection> map_;
  int learned_;      // queries; 0: those of the tokens
  int asking_;       // so many last tokens; 0: all
  int tensor_ = -1;  // of the learned ones
};

}  // namespace oa::attention
