#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <cstddef>
#include <span>

namespace oa::attention {

// The delta rule (Yang, Wang, Zhang, Shen and Kim, arXiv:2406.06484) of one sequence of
// n tokens, head by head.  The state predicts the value of a key; the token corrects a
// part b of the error:
//
//     S~ = diag(a_t) S_{t-1}      u_t = b_t (v_t - S~'k_t)
//     S_t = S~ + k_t u_t'         o_t = S_t'q_t
//
// Steps b have one number for each head.  Decays a are given as logarithms: none, one
// for each head, or one for each column of k.  Heads are column blocks of the views,
// which may have any alignment and stride (scan/packing.h).
//
// A chunk has at most 32 tokens.  With G_t the sum of log a since its first token, K+ =
// K exp(G), K- = K exp(-G) and Q+ = Q exp(G), row by row,
//
//     X = V - K+ S - tril(K+ K-', -1) U      U = B o X
//     O = Q+ S + tril(Q+ K-') U                  S <- exp(G_last) (S + K-'U)
//
// which is a triangular solve and products of matrices.  A new chunk starts where some
// |G_t| would exceed 40, so any decay is exact, 0 and 1 included, and no exponential
// overflows.
//
// n tokens, H heads, keys and values of width d cost n H d (6 d + 6 min(n, 32)) FLOPs
// and 2 exponentials for each decay.  The backward pass, with one chunk a block, costs
// n H d (14 d + 20 min(n, 32)) FLOPs, and keeps the states of 32 chunks for each
// thread.

struct DeltaShape {
  int heads = 1;
  int key_width = 1;
  int value_width = 1;
  int threads = 1;  ///< heads are distributed over them; results do not depend on it
};

struct DeltaInput {
  num::ConstView q;          ///< n x heads key_width
  num::ConstView k;          ///< n x heads key_width
  num::ConstView v;          ///< n x heads value_width
  num::ConstView step;       ///< n x heads
  num::ConstView log_decay;  ///< none, n x heads or n x heads key_width; not positive
};

struct DeltaGradient {
  num::View q;
  num::View k;
  num::View v;
  num::View step;
  num::View log_decay;  ///< none if the input has none
};

/// Floats of a state: S of each head, padded to whole vectors.  The initial state is
/// zero. It must be aligned to 64 bytes.
[[nodiscard]] int delta_state_size(const DeltaShape& shape);

/// The states that delta_scan() saves for delta_scan_backward(), one row for every 32
/// tokens: delta_state_size() columns.
[[nodiscard]] int delta_checkpoints(int tokens);

/// Bytes that the two functions below take of their arena.
[[nodiscard]] std::size_t delta_scan_bytes(const DeltaShape& shape);
[[nodiscard]] std::size_t delta_scan_backward_bytes(const DeltaShape& shape);

/// Computes o (n x heads value_width) of n tokens after `state`, and updates it.  A
/// step of decoding is a call with one token.  `checkpoints` has no rows if there is
/// no backward pass.
void delta_scan(const DeltaShape& shape,
                const DeltaInput& in,
                num::View o,
                std::span<float> state,
                num::View checkpoints,
                Arena& arena);

/// Gradients of delta_scan() from that of o; overwrites them.
void delta_scan_backward(const DeltaShape& shape,
                         const DeltaInput& in,
                         num::ConstView checkpoints,
                         num::ConstView d_o,
                         const DeltaGradient& gradient,
                         Arena& arena);

}  // namespace oa::attention
