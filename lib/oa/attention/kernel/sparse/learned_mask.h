#pragma once

#include "oa/attention/kernel/heads.h"
#include "oa/attention/kernel/pattern/pattern.h"
#include "oa/attention/kernel/sparse/dense_tiles.h"
#include "oa/base/rng.h"

#include <optional>
#include <span>
#include <vector>

namespace oa::attention {

// A mask of blocks of tokens that is learned with everything else.  Each block has a
// logit theta, and while training a gate
//   g = sigmoid((theta + noise) / temperature),   M = 1 if g > 1/2, else 0
// with noise = log(u) - log(1-u), u uniform: the difference of two Gumbel variables, so
// this is the two-class Gumbel-softmax, too.  Blocks of the diagonal always have M = 1:
// every query sees itself.
//   P_ij = M_ij exp(S_ij) / sum_l M_il exp(S_il)
// The forward pass is that of any kernel over mask_pattern() of the gates:
// csr_forward() or a fused one.  The backward pass goes straight through: dtheta = dM g
// (1-g) / T with
//   dM_ij = exp(S_ij) / (sum_l M_il exp(S_il)) (dP_ij - sum_l P_il dP_il),
// which every pair has, seen or not.  Inference uses the pattern of the gates without
// noise, which are the blocks of theta > 0.

/// The logits of pairs of blocks, all heads alike: one for each pair, or one for each
/// distance of key from query in blocks, which then serves any number of tokens.
struct MaskShape {
  int block = 16;
  int blocks = 1;         ///< the most that a sequence has
  bool relative = false;  ///< one for each distance

  [[nodiscard]] int parameters() const {
    return relative ? 2 * blocks - 1 : blocks * blocks;
  }
  /// Row by row; or from the farthest key before the query to the farthest behind it.
  [[nodiscard]] int parameter(int query_block, int key_block) const {
    return relative ? key_block - query_block + blocks - 1
                    : query_block * blocks + key_block;
  }
};

/// The gates of all parameters; with noise from `rng`, or without any.
void open_gates(std::span<const float> theta,
                float temperature,
                std::optional<Rng> rng,
                std::span<float> gates);

/// The pairs of n tokens that these gates let through.
[[nodiscard]] Pattern mask_pattern(const MaskShape& shape,
                                   std::span<const float> gates,
                                   int n,
                                   bool causal);

/// lambda times the mean of sigmoid(theta), which makes masks sparse; its gradient is
/// added to d_theta.
[[nodiscard]] double mask_penalty(std::span<const float> theta,
                                  float lambda,
                                  std::span<float> d_theta);

/// The gates that the forward pass used, and whether it was causal.
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
  num::View gates;       ///< likewise
  num::View parameters;  ///< groups x parameters
};

[[nodiscard]] MaskScratch mask_scratch(const HeadsView& x,
                                       const MaskShape& shape,
                                       int threads,
                                       Arena& arena);

/// What the forward pass over mask_pattern() left.
struct MaskForward {
  num::ConstView o;
  num::ConstView log_sums;
};

/// Gradients; that of theta is added to d_theta.  10 d FLOPs and one exponential for
/// every pair, seen or not.  Queries are keys: x.q and x.k have as many rows.
void mask_backward(const HeadsView& x,
                   const OpenedMask& mask,
                   const MaskForward& forward,
                   num::ConstView d_o,
                   const HeadsGradient& gradient,
                   std::span<float> d_theta,
                   const MaskScratch& scratch,
                   int threads);

}  // namespace oa::attention
