#pragma once

#include "oa/attention/kernel/heads.h"
#include "oa/base/arena.h"
#include "survey/kernel/pattern/pattern.h"

#include <span>

namespace oa::attention {

// Softmax attention over any pattern, query by query, with gathered rows of keys.  The
// cost is proportional to pairs().  Faster than tiles if queries see below about 2 % of
// the keys, scattered; otherwise tiles are several times as fast per pair.

/// Scratch memory of the threads: for each a list of keys and two of floats, with the
/// largest degree of the pattern.
struct CsrScratch {
  std::span<int> keys;
  std::span<float> weights;
  std::span<float> d_logits;
  int room = 0;  ///< elements of one thread
};

[[nodiscard]] CsrScratch csr_scratch(const Pattern& pattern, int threads, Arena& arena);

/// o_i = sum_j P_ij v_j with P = softmax of the logits that the pattern allows, for
/// each head; 0 for a query without keys.  `log_sums` (heads x queries, or no rows)
/// receives log sum_j exp(logit_ij), minus infinity for a query without keys.  Each
/// pair reads 8 d bytes and costs 4 d FLOPs and one exponential.
void csr_forward(const HeadsView& x,
                 const Pattern& pattern,
                 num::View o,
                 num::View log_sums,
                 const CsrScratch& scratch,
                 int threads);

/// Gradients from d_o and the log sums of csr_forward(); weights are computed again.
/// 10 d FLOPs a pair.  Threads share the groups, so that every sum has a fixed order.
void csr_backward(const HeadsView& x,
                  const Pattern& pattern,
                  num::ConstView log_sums,
                  num::ConstView d_o,
                  const HeadsGradient& d,
                  const CsrScratch& scratch,
                  int threads);

}  // namespace oa::attention
