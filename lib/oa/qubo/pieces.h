#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/model.h"

#include <vector>

namespace oa::qubo {

/// A model that falls apart: no term and no constraint joins variables of two pieces.
struct Pieces {
  struct Piece {
    Model model;                 ///< without a constant
    std::vector<int> variables;  ///< their numbers in the whole model, rising
  };

  std::vector<Piece> all;  ///< largest first
  ExactSum constant;       ///< the values of the pieces and this add up to the whole
};

/// The connected components of the model; empty if there is one.  O(n + terms).
[[nodiscard]] Pieces pieces_of(const Model& model);

}  // namespace oa::qubo
