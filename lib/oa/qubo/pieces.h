#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/model.h"

#include <vector>

namespace oa::qubo {

/// The independent parts of a model: no term or constraint joins two pieces.
struct Pieces {
  struct Piece {
    Model model;                 ///< without a constant
    std::vector<int> variables;  ///< numbers in the whole model, increasing
  };

  std::vector<Piece> all;  ///< largest first
  ExactSum constant;       ///< whole value = constant + values of the pieces
};

/// Splits a model into connected components; empty if there is only one.  O(n + terms).
[[nodiscard]] Pieces pieces_of(const Model& model);

}  // namespace oa::qubo
