#pragma once

#include "oa/attention/site.h"
#include "oa/base/arena.h"
#include "oa/num/matrix.h"
#include "oa/parts/layers.h"

#include <string>

namespace oa::attention {

/// Queries or keys of unit length, a row for each token.
struct UnitTokens {
  num::View map;
  num::View unit;
  num::View lengths;  ///< a row for each head
  num::View slope;    ///< of SiLU, for the backward pass; in causal layers only
  num::View last;     ///< last inputs of the convolution; in causal layers only
};

/// Why maps with these options cannot stand at a site: heads do not divide the width,
/// or `conv` was given in a layer without convolution.  Empty if they can.
[[nodiscard]] std::string refusal_of_unit_maps(const Site& site, int heads);

/// The map to queries or keys: a linear map, in causal layers a convolution over the
/// last tokens and SiLU, and then each head divided by its length.
class UnitMap {
 public:
  UnitMap(const Site& site,
          const std::string& name,
          int heads,
          int taps,
          parts::Layout& layout);

  [[nodiscard]] parts::Cost cost(int tokens) const;
  /// Everything except `last`.
  [[nodiscard]] UnitTokens tokens(int n, Arena& arena, bool backward) const;
  /// `last`, before the first token.
  [[nodiscard]] num::View memory(Arena& arena) const;

  /// Advances `last`.  `spare` has the shape of the tokens.
  void forward(const parts::Weights& weights,
               num::ConstView x,
               const UnitTokens& at,
               num::View spare) const;

  /// Overwrites d, the gradient of the unit vectors, and adds to dx.
  void backward(const parts::Weights& weights,
                num::ConstView x,
                const UnitTokens& at,
                num::View d,
                num::View spare,
                num::View dx,
                parts::Values& gradient) const;

 private:
  [[nodiscard]] bool causal() const { return filter_ >= 0; }

  int heads_;
  int taps_;
  int dim_;
  parts::Linear map_;
  int filter_ = -1;  // tensor; -1: not causal
};

}  // namespace oa::attention
