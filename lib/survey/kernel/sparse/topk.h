#pragma once

#include "oa/attention/kernel/heads.h"
#include "oa/base/arena.h"
#include "survey/kernel/fused/fused.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace oa::attention {

// Attention of each query to the k keys with the largest logits, as softmax over these
// keys.  Among equal logits, the lowest keys are kept.  Scores are computed in tiles,
// and each query keeps a shortlist: no matrix of all scores exists.
//   FLOPs      2 d a pair for the scores, 2 d a kept pair for the values
//   saved      a column and a weight for each kept pair, 8 bytes
// A row's tail mass is t_i = 1 - (the sum of the softmax weights of its kept keys).
// Weights differ from softmax by a sum of absolute differences of 2 t_i,
// and outputs by at most 2 t_i max_j |v_j|.

/// The kept keys: `size` slots for each query of each head, in ascending order.
struct TopkKept {
  std::span<int> columns;
  std::span<float> weights;
  int queries = 0;
  int size = 0;  ///< k
  bool causal = false;
  int keys = 0;

  /// The number of slots that query i uses.
  [[nodiscard]] int count(int i) const {
    return std::min(size, causal ? std::min(i + 1, keys) : keys);
  }
  [[nodiscard]] std::span<int> columns_of(int head, int query) const {
    return columns.subspan(slot(head, query), static_cast<std::size_t>(count(query)));
  }
  [[nodiscard]] std::span<float> weights_of(int head, int query) const {
    return weights.subspan(slot(head, query), static_cast<std::size_t>(count(query)));
  }

 private:
  [[nodiscard]] std::size_t slot(int head, int query) const {
    return static_cast<std::size_t>((std::int64_t{head} * queries + query) * size);
  }
};

/// Returns room for min(k, keys) kept keys a query; k >= 1.
[[nodiscard]] TopkKept topk_kept(const HeadsShape& shape,
                                 int k,
                                 bool causal,
                                 Arena& arena);

/// For each thread, a tile of scores and the candidates of its queries:
/// 32 KiB + 512 k bytes, and little more.
struct TopkScratch {
  num::View scores;               ///< stacked for all threads
  std::span<std::int32_t> lists;  ///< candidates with the ranks of their logits
  std::span<float> d_logits;
};

[[nodiscard]] TopkScratch topk_scratch(const TopkKept& kept, int threads, Arena& arena);

/// Optional results of topk_forward(), each heads x queries,
/// or not computed if without rows.  Each takes one exponential for every pair.
struct TopkSums {
  num::View log_sums;  ///< log sum_j exp(logit_j) over all keys, kept or not
  num::View tails;     ///< t_i
};

/// Computes the transpose of x.k (groups d x keys), which topk_forward() reads.
void transpose_keys(const HeadsView& x, num::View transposed, int threads);

void topk_forward(const HeadsView& x,
                  num::ConstView transposed_keys,
                  num::View o,
                  const TopkKept& kept,
                  const TopkSums& sums,
                  const TopkScratch& scratch,
                  int threads);

/// Gradients for constant kept keys: 8 d FLOPs a kept pair.  Threads share the groups.
void topk_backward(const HeadsView& x,
                   const TopkKept& kept,
                   num::ConstView d_o,
                   const HeadsGradient& gradient,
                   const TopkScratch& scratch,
                   int threads);

}  // namespace oa::attention
