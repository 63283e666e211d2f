#pragma once

#include "oa/num/matrix.h"
#include "survey/kernel/pattern/pattern.h"

#include <span>
#include <vector>

namespace oa::attention {

// Attention of one query to a list of keys, which sparse kinds are built on.
// Rows are rows of one head, within the rows of all heads.
// x has d floats, as many as rows have columns. 2 d FLOPs a key.

/// Sets out_k to scale times the dot product of x and row keys_k.
/// The order of a sum does not depend on the position in the list.
void gather_dots(const float* x,
                 num::ConstView rows,
                 std::span<const int> keys,
                 float scale,
                 std::span<float> out);

/// Sets x to the sum over k of weights_k * row keys_k; 0 for an empty list.
void gather_sum(std::span<const float> weights,
                num::ConstView rows,
                std::span<const int> keys,
                float* x);

/// Adds weights_k * x to row keys_k.
void scatter_add(std::span<const float> weights,
                 const float* x,
                 std::span<const int> keys,
                 num::View rows);

/// Replaces logits by weights exp(logit) / sum, and returns log sum exp(logit):
/// minus infinity if there are no logits.  One exponential a logit.
float softmax_in_place(std::span<float> logits);

/// Replaces logits by weights exp(logit - log_sum) with a known log_sum.
void weights_in_place(std::span<float> logits, float log_sum);

/// Lists the keys of query q in ascending order.
/// `keys` has room for the largest degree(); returns the used part.
[[nodiscard]] std::span<const int> list_keys(const Pattern& pattern,
                                             int query,
                                             std::span<int> keys);

/// The largest number of keys of a query.
[[nodiscard]] int largest_degree(const Pattern& pattern);

/// The operands of the gradient of one query's attention to a list,
/// o = sum_k p_k v_k with p = softmax of scale q . k:
///   dP_k = dO . v_k,  dS_k = p_k (dP_k - sum_j p_j dP_j)
struct ListRow {
  const float* q;
  const float* d_o;
  std::span<const int> keys;
  std::span<const float> weights;  ///< p
  std::span<float> d_logits;       ///< scratch of the same size
};

/// dq = scale sum_k dS_k k_k,  dk_k += scale dS_k q,  dv_k += p_k dO.  8 d FLOPs a key.
void list_backward(const ListRow& row,
                   num::ConstView k,
                   num::ConstView v,
                   float scale,
                   float* dq,
                   num::View dk,
                   num::View dv);

}  // namespace oa::attention
