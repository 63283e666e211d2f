#pragma once

#include "oa/attention/kernel/heads.h"
#include "survey/kernel/sparse/dense_tiles.h"
#include "survey/kernel/sparse/topk.h"

#include <vector>

namespace oa::attention {

// Attention to the one key with the largest logit, o_i = v_best(i).  The forward pass
// is topk_forward() with k = 1, which also computes log sums.  Backward is a
// straight-through estimate: values have one-hot weights, logits the softmax weights P.
//   dv_j = sum_{i: best(i) = j} dO_i,   dP_ij = dO_i . v_j,
//   dS_ij = P_ij (dP_ij - sum_l P_il dP_il)

/// Scratch memory:
/// each thread has a tile, and one float for each query of each head of a group.
struct HardScratch {
  std::vector<TileScratch> tiles;
  num::View means;  ///< heads per group x queries, stacked for all threads
  num::View ones;   ///< one row
  num::View gates;  ///< one row for each thread
};

[[nodiscard]] HardScratch hard_scratch(const HeadsView& x, int threads, Arena& arena);

/// Computes gradients from `best`, the result of topk_forward() with k = 1.  A pair
/// costs 14 d FLOPs and two exponentials, because the mean of dP needs a separate pass.
void hard_backward(const HeadsView& x,
                   const TopkKept& best,
                   num::ConstView log_sums,
                   num::ConstView d_o,
                   const HeadsGradient& gradient,
                   const HardScratch& scratch,
                   int threads);

}  // namespace oa::attention
