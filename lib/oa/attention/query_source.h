#pragma once

#include "oa/attention/kind.h"
#include "oa/parts/layers.h"

#include <optional>

namespace oa::attention {

/// Where queries come from: the map Wq of the tokens, or vectors learned once for all
/// images.
class QuerySource {
 public:
  QuerySource(const Site& site, parts::Layout& layout);

  void forward(const parts::Weights& weights, num::ConstView x);
  [[nodiscard]] num::ConstView get() const { return q_; }
  /// Overwrites dq; dx += the share of the tokens.
  void backward(const parts::Weights& weights,
                num::ConstView x,
                num::View dq,
                num::View dx,
                parts::Values& gradient);

 private:
  num::Matrix q_;
  std::optional<parts::Projection> map_;
  int learned_ = -1;  // tensor
};

}  // namespace oa::attention
