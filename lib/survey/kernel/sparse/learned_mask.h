#pragma once

#include "oa/attention/kernel/heads.h"
#include "oa/base/rng.h"
#include "survey/kernel/pattern/pattern.h"
#include "survey/kernel/sparse/dense_tiles.h"

#include <optional>
#include <span>
#include <vector>

namespace oa::attention {

// A learned mask of blocks of tokens.
// Each block has a logit theta and, in training, a gate
//   g = sigmoid((theta + noise) / temperature),   M = 1 if g > 1/2, else 0
// with noise = log(u) - log(1-u), u uniform.  The noise is the difference of two Gumbel
// variables, so this is also the two-class Gumbel-softmax.  Diagonal blocks always have
// M = 1: every query sees itself.  Weights are, for logits S,
//   P_ij = M_ij exp(S_ij) / sum_l M_il exp(S_il)
// Forward works with any kernel over mask_pattern() of the gates.
// Backward is a straight-through estimate dtheta = dM g (1-g) / temperature with
//   dM_ij = exp(S_ij) / (sum_l M_il exp(S_il)) (dP_ij - sum_l P_il dP_il)
// for every pair, seen or not.
// Inference uses gates without noise: blocks with theta > 0.

/// The logits of pairs of blocks, shared by all heads: one for each pair;
/// or, for any number of tokens, one for each distance from query to key in blocks.
struct MaskShape {
  int block = 16;
  int blocks = 1;         ///< the most that a sequence has
  bool relative = false;  ///< a logit for each distance

  [[nodiscard]] int parameters() const {
    return relative ? 2 * blocks - 1 : blocks * blocks;
  }
  /// The index of a pair's logit: row by row; or by distance, earliest key first.
  [[nodiscard]] int parameter(int query_block, int key_block) const {
    return relative ? key_block - query_block + blocks - 1
                    : query_block * blocks + key_block;
  }
};

/// Computes the gates of all parameters, with noise if `rng` is given.
void open_gates(std::span<const float> theta,
                float temperature,
                std::optional<Rng> rng,
                std::span<float> gates);

/// The pairs of n tokens that the gates allow.
[[nodiscard]] Pattern mask_pattern(const MaskShape& shape,
                                   std::span<const float> gates,
                                   int n,
                                   bool causal);

/// Returns lambda times the mean of sigmoid(theta), which makes masks sparse.
/// Adds its gradient to d_theta.
[[nodiscard]] double mask_penalty(std::span<const float> theta,
                                  float lambda,
                                  std::span<float> d_theta);

/// The gates of a forward pass.
struct OpenedMask {
  MaskShape shape;
  std::span<const float> gates;
  float temperature = 1.0F;
  bool causal = false;

  [[nodiscard]] bool keeps(int query_block, int key_block) const {
    return query_block == key_block ||
           gates[static_cast<std::size_t>(shape.parameter(query_block, key_block))] >
               0.5F;
  }
};

/// A tile for each thread, and a sum for each parameter and group.
struct MaskScratch {
  std::vector<TileScratch> tiles;
  num::View keep;        ///< a row for each thread
  num::View gates;       ///< a row for each thread
  num::View parameters;  ///< groups x parameters
};

[[nodiscard]] MaskScratch mask_scratch(const HeadsView& x,
                                       const MaskShape& shape,
                                       int threads,
                                       Arena& arena);

/// The results of the forward pass over mask_pattern().
struct MaskForward {
  num::ConstView o;
  num::ConstView log_sums;
};

/// Computes gradients; adds that of theta to d_theta. 10 d FLOPs and one exponential
/// for every pair, seen or not. x.q and x.k have the same number of rows.
void mask_backward(const HeadsView& x,
                   const OpenedMask& mask,
                   const MaskForward& forward,
                   num::ConstView d_o,
                   const HeadsGradient& gradient,
                   std::span<float> d_theta,
                   const MaskScratch& scratch,
                   int threads);

}  // namespace oa::attention
