#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"
#include "survey/kernel/scan/feature_map.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace oa::attention {

// Attention by features phi with a denominator den (Katharopoulos et al.,
// arXiv:2006.16236) for one sequence of n tokens, head by head:
//
//     S = sum_j phi(k_j) v_j'    u = sum_j phi(k_j)
//     o_i = phi(q_i)' S / den(phi(q_i)' u)
//
// over all tokens j, or over j <= i if causal. den(x) is x + epsilon, or, for features
// that may be negative, max(|x|, epsilon).  Heads are column blocks of the views,
// which may have any alignment and stride (packing.h).
//
// Positive features have references.  A query uses its own largest logit; all keys of a
// head share one reference.  If causal, the reference of token t is the largest up to
// t, and S and u shrink when it grows.  So no output depends on a later token.
//
// Causal layers may have gates g_t (Peng et al., arXiv:2103.02143), also for u:
//     S_t = g_t S_{t-1} + (1 - g_t) phi(k_t) v_t',   g_t = sigmoid(gate_t)
//
// n tokens, H heads, f features and values of width v cost 4 n H f v FLOPs,
// besides the features (feature_map.h); gradients cost 3 times as many.

struct LinearShape {
  int heads = 1;
  int key_width = 1;
  int value_width = 1;
  FeatureMap features;
  bool causal = false;
  bool clamped = false;  ///< den(x) = max(|x|, epsilon)
  float epsilon = 1e-6F;
  int threads = 1;  ///< heads are distributed over them; results do not depend on it
};

struct LinearInput {
  num::ConstView q;                      ///< n x heads key_width
  num::ConstView k;                      ///< n x heads key_width
  num::ConstView v;                      ///< n x heads value_width
  num::ConstView gate;                   ///< n x heads, or without data
  std::span<const float> inverse_sigma;  ///< heads, for Fourier features
};

/// The results, which the gradient needs.
struct LinearOutput {
  num::View o;          ///< n x heads value_width
  num::View sum;        ///< n x heads: phi(q)' u, the argument of den
  num::View reference;  ///< n x heads: reference of keys, for positive features
};

struct LinearGradient {
  num::View q;
  num::View k;
  num::View v;
  num::View gate;                  ///< n x heads, if there is a gate
  std::span<float> inverse_sigma;  ///< heads, for Fourier features
};

/// The number of floats in a causal state: for each head the number of tokens,
/// a reference, u and S, padded.  A state starts as zeros and is aligned to 64 bytes.
[[nodiscard]] std::int64_t linear_state_size(const LinearShape& shape);

/// Computes n tokens of a causal layer after `state`, and updates `state`.  Decoding is
/// a call for each token.  If den is max(|x|, epsilon), counts the |sum| below epsilon.
std::int64_t linear_scan(const LinearShape& shape,
                         const LinearInput& in,
                         const LinearOutput& out,
                         std::span<float> state,
                         Arena& arena);

/// If not causal: every token sees all tokens.  Returns the count of linear_scan().
std::int64_t linear_sums(const LinearShape& shape,
                         const LinearInput& in,
                         const LinearOutput& out,
                         Arena& arena);

/// Computes the gradients of linear_scan() with a zero initial state,
/// or of linear_sums(), from that of o; overwrites them.
/// References count as constants, since they change only the weight of the floor 1e-6.
void linear_backward(const LinearShape& shape,
                     const LinearInput& in,
                     const LinearOutput& out,
                     num::ConstView d_o,
                     const LinearGradient& gradient,
                     Arena& arena);

/// The bytes that linear_scan() (linear_sums() if not causal) and linear_backward()
/// take from their arena for n tokens.
[[nodiscard]] std::size_t linear_scratch_bytes(const LinearShape& shape);
[[nodiscard]] std::size_t linear_backward_scratch_bytes(const LinearShape& shape,
                                                        int n);

}  // namespace oa::attention
