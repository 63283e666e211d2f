#pragma once

#include "oa/attention/kernel/heads.h"
#include "oa/base/arena.h"

#include <functional>
#include <span>

namespace oa::attention {

// The backward pass of kinds whose gradient needs every pair, whatever the forward pass
// looked at: straight-through estimates.  It walks over tiles of 32 queries and 256
// keys, so that its memory does not depend on the number of tokens.  The products of a
// tile hold pairs that a causal query does not see, as zeros: a query that is NaN or
// infinite reaches the gradients of the keys of its tile.

struct Tile {
  int head = 0;
  int first_query = 0;
  int first_key = 0;
  num::View logits;     ///< scale * q_i . k_j
  num::View d_weights;  ///< dO_i . v_j

  /// Keys of this tile that row r sees.
  [[nodiscard]] int seen(int r, bool causal) const {
    const int most = logits.cols;
    return causal ? std::clamp(first_query + r + 1 - first_key, 0, most) : most;
  }
};

/// The tile and copies of its operands: 4 (832 d + 17,000) bytes for each thread.
struct TileScratch {
  num::View k_transposed, v_transposed, k;  ///< of the keys of a tile
  num::View dk, dv;
  num::View q, d_o, dq;  ///< of its queries
  num::View logits, d_weights;
};

[[nodiscard]] TileScratch tile_scratch(const HeadsView& x, Arena& arena);

using VisitTile = std::function<void(const Tile&)>;

/// Shows the tiles of all heads of a group; causal: those in which something is seen.
void visit_tiles(const HeadsView& x,
                 int group,
                 bool causal,
                 num::ConstView d_o,
                 const TileScratch& scratch,
                 const VisitTile& visit);

/// The same, where visit() turns logits into weights P and d_weights into gradients of
/// logits times scale, dS; then dq += dS k, dk += dS' q, dv += P' dO.  The gradients of
/// the group are overwritten.  10 d FLOPs a pair.
void backward_by_tiles(const HeadsView& x,
                       int group,
                       bool causal,
                       num::ConstView d_o,
                       const HeadsGradient& gradient,
                       const TileScratch& scratch,
                       const VisitTile& visit);

/// sum_j exp(logits_j - log_sum) d_weights_j
[[nodiscard]] float mean_gradient(std::span<const float> logits,
                                  std::span<const float> d_weights,
                                  float log_sum);

/// What the rows of a tile become.  With e_j = exp(logit_j - log_sum) and w_j = e_j
/// (d_weight_j - mean):  logit_j becomes keep_j e_j and d_weight_j becomes
/// scale keep_j w_j, where keep_j is 1 or 0; and gates_j += w_j, the gradient of
/// keep_j. A key that is not kept may have any logit: the exponent is cut at 20, so
/// that the gradient of its gate stays finite.
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
