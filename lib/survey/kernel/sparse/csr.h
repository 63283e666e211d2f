#pragma once

#include "oa/attention/kernel/heads.h"
#include "oa/base/arena.h"
#include "survey/kernel/pattern/pattern.h"

#include <span>

namespace oa::attention {

// Softmax attention over any pattern, query by query, with gathered rows of keys.
// The cost is proportional to pairs().  Faster than tiles if queries see less than
// about 2 % of the keys, scattered; otherwise tiles are several times faster per pair.

/// Scratch memory of the threads.  Each thread has a list of keys and two of floats,
/// as long as the largest degree of the pattern.
struct CsrScratch {
  std::span<int> keys;
  std::span<float> weights;
  std::span<float> d_logits;
  int room = 0;  ///< elements of one thread
};

[[nodiscard]] CsrScratch csr_scratch(const Pattern& pattern, int threads, Arena& arena);

/// Computes o_i = sum_j P_ij v_j for each head, where P is the softmax of the logits
/// that the pattern allows; 0 for a query without keys.  `log_sums` (heads x queries,
/// or no rows) receives log sum_j exp(logit_ij), minus infinity for a query without
/// keys.  A pair reads 8 d bytes and costs 4 d FLOPs and one exponential.
void csr_forward(const HeadsView& x,
                 const Pattern& pattern,
                 num::View o,
                 num::View log_sums,
                 const CsrScratch& scratch,
                 int threads);

/// Computes gradients from d_o and the log sums of csr_forward(), and weights again. 10
/// d FLOPs a pair.  Threads share the groups of heads, so every sum has a fixed order.
void csr_backward(const HeadsView& x,
                  const Pattern& pattern,
                  num::ConstView log_sums,
                  num::ConstView d_o,
                  const HeadsGradient& d,
                  const CsrScratch& scratch,
                  int threads);

}  // namespace oa::attention
