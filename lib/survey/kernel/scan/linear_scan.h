#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"
#include "survey/kernel/scan/feature_map.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace oa::attention {

// Attention by features with a denominator (Katharopoulos et al., arXiv:2006.16236), of
// one sequence of n tokens, head by head:
//
//     S = sum_j phi(k_j) v_j'    u = sum_j phi(k_j)
//     o_i = phi(q_i)' S / den(phi(q_i)' u)
//
// over all tokens j, or over j <= i if causal.  den(x) = x + epsilon, or max(|x|,
// epsilon) for features that may be negative.  Heads are column blocks of the views,
// which may have any alignment and stride (packing.h).
//
// References of positive features: a query uses its own largest logit, keys use one for
// each head.  In causal layers the reference of token t is the largest up to t, and (S,
// u) shrink when it grows, so that no output depends on a later token.
//
// A gate (Peng et al., arXiv:2103.02143), in causal layers only:
//     S_t = g_t S_{t-1} + (1 - g_t) phi(k_t) v_t',   same for u,   g = sigmoid(gate)
//
// n tokens, H heads, f features and values of width v cost 4 n H f v FLOPs, and those
// of the features (feature_map.h); gradients 3 times as many.

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

/// Floats of a causal state: for each head the number of tokens, a reference, u and S,
/// padded.  The initial state is zero.  It must be aligned to 64 bytes.
[[nodiscard]] std::int64_t linear_state_size(const LinearShape& shape);

/// Causal: computes n tokens after `state`, and updates it.  A step of decoding is a
/// call with one token.  Returns the number of |sum| below epsilon if den is clamped.
std::int64_t linear_scan(const LinearShape& shape,
                         const LinearInput& in,
                         const LinearOutput& out,
                         std::span<float> state,
                         Arena& arena);

/// Not causal: every token sees all tokens.  Returns the count that linear_scan() does.
std::int64_t linear_sums(const LinearShape& shape,
                         const LinearInput& in,
                         const LinearOutput& out,
                         Arena& arena);

/// Gradients of linear_scan() for a zero initial state, or of linear_sums() if the
/// shape is not causal, from that of o; overwrites them.  References count as
/// constants, since they only change the weight of the floor of a feature.
void linear_backward(const LinearShape& shape,
                     const LinearInput& in,
                     const LinearOutput& out,
                     num::ConstView d_o,
                     const LinearGradient& gradient,
                     Arena& arena);

/// Bytes that linear_scan(), or linear_sums() if the shape is not causal, takes of its
/// arena, and linear_backward() for n tokens.
[[nodiscard]] std::size_t linear_scratch_bytes(const LinearShape& shape);
[[nodiscard]] std::size_t linear_backward_scratch_bytes(const LinearShape& shape,
                                                        int n);

}  // namespace oa::attention
