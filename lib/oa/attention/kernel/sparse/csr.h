#pragma once

#include "oa/attention/kernel/heads.h"
#include "oa/attention/kernel/pattern/pattern.h"
#include "oa/base/arena.h"

#include <span>

namespace oa::attention {

// Softmax attention over any pattern, query by query: the rows of the keys that a query
// sees are gathered, so that only pairs() of them cost anything.  It pays where few
// keys are seen (below about 2 % of them) and these are scattered; for patterns of
// blocks and bands a kernel that works in tiles is several times as fast a pair.

/// What the threads write while they work: a list of keys and two of floats for each,
/// as long as the largest degree of the pattern.
struct CsrScratch {
  std::span<int> keys;
  std::span<float> weights;
  std::span<float> d_logits;
  int room = 0;  ///< elements of one thread
};

[[nodiscard]] CsrScratch csr_scratch(const Pattern& pattern, int threads, Arena& arena);

/// o_i = sum_j P_ij v_j with P = softmax of the logits that the pattern allows, for
/// each head; 0 for a query that sees nothing.  `log_sums` (heads x queries, or no
/// rows) gets log sum_j exp(logit_ij), minus infinity where nothing is seen.  Bytes:
/// each pair reads 8 d, from a cache if keys and values fit.  FLOPs 4 d a pair, and one
/// exponential.
void csr_forward(const HeadsView& x,
                 const Pattern& pattern,
                 num::View o,
                 num::View log_sums,
                 const CsrScratch& scratch,
                 int threads);

/// Gradients from d_o and the log sums of csr_forward(): the weights are computed
/// again. 10 d FLOPs a pair.  Threads share the work by groups, so that every sum has
/// one order: more of them than groups are idle.
void csr_backward(const HeadsView& x,
                  const Pattern& pattern,
                  num::ConstView log_sums,
                  num::ConstView d_o,
                  const HeadsGradient& d,
                  const CsrScratch& scratch,
                  int threads);

}  // namespace oa::attention
