#pragma once

#include "oa/attention/site.h"
#include "oa/parts/layers.h"

#include <optional>

namespace oa::attention {

/// The source of queries: the map Wq of all tokens or of the last ones, or learned
/// vectors.
class QuerySource {
 public:
  struct Workspace {
    num::View q;  ///< (n,dim), after forward
    parts::Projection::Workspace map;
  };

  QuerySource(const Site& site,
              parts::Layout& layout,
              parts::MapStyle style = parts::MapStyle::Normalized);

  /// The cost of the projection, or n dim parameters and no FLOPs; and (n,dim) of
  /// workspace.
  [[nodiscard]] parts::Cost cost(int tokens) const;
  [[nodiscard]] Workspace workspace(int tokens, Arena& arena) const;

  void forward(const parts::Weights& weights,
               num::ConstView x,
               const Workspace& workspace) const;
  /// Overwrites dq and adds the tokens' share to dx.
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
  /// The rows of the tokens that have queries.
  template <class Matrix>
  [[nodiscard]] Matrix asking(Matrix x) const {
    const int count = asking_ > 0 ? asking_ : x.rows;
    return {x.row(x.rows - count), count, x.cols, x.stride};
  }

  int dim_;
  std::optional<parts::Projection> map_;
  int learned_;      // number of learned queries; 0: queries come from tokens
  int asking_;       // number of last tokens with queries; 0: all
  int tensor_ = -1;  // of the learned queries
};

}  // namespace oa::attention
