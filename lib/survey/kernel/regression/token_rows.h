#pragma once

#include "oa/attention/kernel/heads.h"
#include "oa/num/matrix.h"
#include "survey/kernel/scan/blocks.h"

namespace oa::attention {

/// Tokens of a head that are computed together:
/// `count` tokens, at most `most`, as rows of matrices.
struct TokenRows {
  int most = 0;
  int width = 0;  ///< of the head
  int count = 0;

  [[nodiscard]] num::View tokens(Arena& arena) const {
    return num::zeros(most, width, arena);
  }
  [[nodiscard]] num::View rows(num::View x) const { return x.top(count); }
  [[nodiscard]] num::View square(num::View x) const {
    return {x.data, count, count, x.stride};
  }
  [[nodiscard]] num::View first_columns(num::View x) const {
    return {x.data, x.rows, count, x.stride};
  }
  /// Returns the rows and columns of a block in a matrix of all tokens and heads.
  template <class AnyView>
  [[nodiscard]] AnyView part_of(AnyView x, const TokenBlock& block) const {
    return row_block(columns(x, block.head * width, width), block.first, block.count);
  }
};

}  // namespace oa::attention
