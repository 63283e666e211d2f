#pragma once

#include "oa/attention/kernel/heads.h"
#include "oa/attention/kernel/sparse/dense_tiles.h"
#include "oa/attention/kernel/sparse/topk.h"

#include <vector>

namespace oa::attention {

// Attention to the one key of the largest logit, o_i = v_best(i): the forward pass is
// topk_forward() with k = 1, which also gives the log sums.  The gradient goes straight
// through: that of the one-hot weights for the values, that of softmax, P, for the
// logits.
//   dv_j = sum_{i: best(i) = j} dO_i,   dP_ij = dO_i . v_j,
//   dS_ij = P_ij (dP_ij - sum_l P_il dP_il)

/// What threads need: each a tile, and one float for each query of each head of a
/// group.
struct HardScratch {
  std::vector<TileScratch> tiles;
  num::View means;  ///< heads per group x queries, of each thread one below the other
  num::View ones;   ///< one row
  num::View gates;  ///< a row for each thread
};

[[nodiscard]] HardScratch hard_scratch(const HeadsView& x, int threads, Arena& arena);

/// `best` is what topk_forward() kept with k = 1.  14 d FLOPs and two exponentials a
/// pair: no pass over the keys can know the mean of dP before it has seen all of them.
void hard_backward(const HeadsView& x,
                   const TopkKept& best,
                   num::ConstView log_sums,
                   num::ConstView d_o,
                   const HeadsGradient& gradient,
                   const HardScratch& scratch,
                   int threads);

}  // namespace oa::attention
