#pragma once

#include "oa/attention/kernel/scan/feature_map.h"
#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace oa::attention {

// Attention by features, with a denominator (Katharopoulos et al., arXiv:2006.16236),
// of one sequence of n tokens, head by head:
//
//     S = sum_j phi(k_j) v_j'    u = sum_j phi(k_j)    o_i = phi(q_i)' S /
//     den(phi(q_i)' u)
//
// over all tokens j, or, causal, over j <= i.  den(x) = x + epsilon, or max(|x|,
// epsilon) for features that may be negative.  Heads are column blocks of the views,
// which may begin anywhere and have any stride (packing.h).
//
// References of positive features: a query takes its own largest logit, keys one per
// head.  Causal, that of token t is the largest up to t, and (S, u) shrink when it
// grows, so that no output knows of a later token.
//
// A gate (Peng et al., arXiv:2103.02143), causal only, forgets:
//     S_t = g_t S_{t-1} + (1 - g_t) phi(k_t) v_t',   u likewise,   g = sigmoid(gate)
//
// n tokens, H heads, f features, values of width v: 4 n H f v FLOP, and those of the
// features (feature_map.h); gradients three times as many.

struct LinearShape {
  int heads = 1;
  int key_width = 1;
  int value_width = 1;
  FeatureMap features;
  bool causal = false;
  bool clamped = false;  ///< den(x) = max(|x|, epsilon)
  float epsilon = 1e-6F;
  int threads = 1;  ///< Heads are spread over them; results do not depend on it.
};

struct LinearInput {
  num::ConstView q;                      ///< n x heads key_width
  num::ConstView k;                      ///< n x heads key_width
  num::ConstView v;                      ///< n x heads value_width
  num::ConstView gate;                   ///< n x heads, or without data
  std::span<const float> inverse_sigma;  ///< heads, for Fourier features
};

/// What attention computes and its gradient needs again.
struct LinearOutput {
  num::View o;          ///< n x heads value_width
  num::View sum;        ///< n x heads: phi(q)' u, the argument of den
  num::View reference;  ///< n x heads: that of keys; of positive features only
};

struct LinearGradient {
  num::View q;
  num::View k;
  num::View v;
  num::View gate;                  ///< n x heads, where there is a gate
  std::span<float> inverse_sigma;  ///< heads, for Fourier features
};

/// Floats of a causal state: for each head the number of tokens, a reference, u and S,
/// padded.  A state of zeros is that before the first token; it must begin on a 64-byte
/// boundary.
[[nodiscard]] int linear_state_size(const LinearShape& shape);

/// Causal: n tokens that follow those that `state` has seen.  It moves on, so that a
/// step of decoding is a call with one token.  Returns how many |sum| were below
/// epsilon where den is clamped.
std::int64_t linear_scan(const LinearShape& shape,
                         const LinearInput& in,
                         const LinearOutput& out,
                         std::span<float> state,
                         Arena& arena);

/// Not causal: every token sees all.  Returns the same.
std::int64_t linear_sums(const LinearShape& shape,
                         const LinearInput& in,
                         const LinearOutput& out,
                         Arena& arena);

/// Gradients of linear_scan() from a state of zeros, or, if the shape is not causal, of
/// linear_sums(), given that of o.  They replace what is there.  References count as
/// constants: all they change is what the floor of a feature weighs.
void linear_backward(const LinearShape& shape,
                     const LinearInput& in,
                     const LinearOutput& out,
                     num::ConstView d_o,
                     const LinearGradient& gradient,
                     Arena& arena);

/// What linear_scan(), or linear_sums() if the shape is not causal, takes from its
/// arena; and linear_backward() for n tokens.
[[nodiscard]] std::size_t linear_scratch_bytes(const LinearShape& shape);
[[nodiscard]] std::size_t linear_backward_scratch_bytes(const LinearShape& shape,
                                                        int n);

}  // namespace oa::attention
