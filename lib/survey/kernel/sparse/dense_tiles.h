#pragma once

#include "oa/attention/kernel/heads.h"
#include "oa/base/arena.h"

#include <functional>
#include <span>

namespace oa::attention {

// The backward pass of straight-through estimates, which need every pair.  It visits
// tiles of 32 queries and 256 keys, so memory does not depend on the number of tokens.
// Invisible pairs of a causal tile count as zeros:
// a NaN or infinite query reaches the gradients of all keys of its tile.

struct Tile {
  int head = 0;
  int first_query = 0;
  int first_key = 0;
  num::View logits;     ///< scale * q_i . k_j
  num::View d_weights;  ///< dO_i . v_j

  /// The number of keys of this tile that row r sees.
  [[nodiscard]] int seen(int r, bool causal) const {
    const int most = logits.cols;
    return causal ? std::clamp(first_query + r + 1 - first_key, 0, most) : most;
  }
};

/// A tile and copies of its operands: 4 (832 d + 17,000) bytes for each thread.
struct TileScratch {
  num::View k_transposed, v_transposed, k;  ///< of a tile's keys
  num::View dk, dv;
  num::View q, d_o, dq;  ///< of a tile's queries
  num::View logits, d_weights;
};

[[nodiscard]] TileScratch tile_scratch(const HeadsView& x, Arena& arena);

using VisitTile = std::function<void(const Tile&)>;

/// Visits all tiles of a group of heads that have a visible pair.
void visit_tiles(const HeadsView& x,
                 int group,
                 bool causal,
                 num::ConstView d_o,
                 const TileScratch& scratch,
                 const VisitTile& visit);

/// Visits tiles by a visit() that replaces logits by weights P, and d_weights by dS,
/// scale times the gradient of the logits.  Overwrites the group's gradients by the
/// sums of dS k (dq), dS' q (dk) and P' dO (dv). 10 d FLOPs a pair.
void backward_by_tiles(const HeadsView& x,
                       int group,
                       bool causal,
                       num::ConstView d_o,
                       const HeadsGradient& gradient,
                       const TileScratch& scratch,
                       const VisitTile& visit);

/// Returns sum_j exp(logits_j - log_sum) d_weights_j.
[[nodiscard]] float mean_gradient(std::span<const float> logits,
                                  std::span<const float> d_weights,
                                  float log_sum);

/// One row of a tile and its update.
/// With e_j = exp(logit_j - log_sum) and w_j = e_j (d_weight_j - mean):
///   logit_j <- keep_j e_j,  d_weight_j <- scale keep_j w_j,  gates_j += w_j
/// where keep_j is 1 or 0 and w_j its gradient.  The logit of a key with keep_j = 0 may
/// be large: exponents are limited to 20, so that the gradient stays finite.
struct TileRow {
  std::span<float> logits;
  std::span<float> d_weights;
  std::span<const float> keep;
  std::span<float> gates;
  float log_sum;
  float mean;
  float scale;
};
void differentiate(const TileRow& row);

}  // namespace oa::attention
