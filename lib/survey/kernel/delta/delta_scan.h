#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <cstddef>
#include <span>

namespace oa::attention {

// The delta rule (Yang, Wang, Zhang, Shen and Kim, arXiv:2406.06484) for one sequence
// of n tokens, head by head.  The state S predicts a value v from a key k.
// Each token corrects a share b of the error, after a decay a of the state:
//
//     S~ = diag(a_t) S_{t-1}      u_t = b_t (v_t - S~'k_t)
//     S_t = S~ + k_t u_t'         o_t = S_t'q_t
//
// A head has one step b, and its log decays have no column (a = 1), one column,
// or one for each column of k.
// Heads are column blocks of views with any alignment and stride (scan/packing.h).
//
// A chunk has at most 32 tokens.  With G_t the sum of log a since its first token,
// the rows of K+ = K exp(G), K- = K exp(-G) and Q+ = Q exp(G) give
//
//     X = V - K+ S - tril(K+ K-', -1) U      U = B * X  (row by row)
//     O = Q+ S + tril(Q+ K-') U              S <- exp(G_last) (S + K-'U)
//
// by a triangular solve and matrix products.  A new chunk starts where some |G_t| would
// exceed 40.  So no exponential overflows, and any decay is exact, including 0 and 1.
//
// A sequence with H heads of width d costs n H d (6 d + 6 min(n, 32)) FLOPs and 2
// exponentials for each decay.  Backward costs n H d (14 d + 20 min(n, 32)) FLOPs if
// each block is one chunk, and keeps the states of 32 chunks for each thread.

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

/// The number of floats in a state: S of each head, padded to whole vectors.
/// A state starts as zeros and is aligned to 64 bytes.
[[nodiscard]] int delta_state_size(const DeltaShape& shape);

/// The number of states that delta_scan() saves for delta_scan_backward():
/// one for every 32 tokens, as rows of delta_state_size() columns.
[[nodiscard]] int delta_checkpoints(int tokens);

/// The bytes that delta_scan() and delta_scan_backward() take from their arena.
[[nodiscard]] std::size_t delta_scan_bytes(const DeltaShape& shape);
[[nodiscard]] std::size_t delta_scan_backward_bytes(const DeltaShape& shape);

/// Computes o (n x heads value_width) of n tokens after `state`, and updates `state`.
/// Decoding is a call for each token.
/// `checkpoints` has no rows if no backward pass follows.
void delta_scan(const DeltaShape& shape,
                const DeltaInput& in,
                num::View o,
                std::span<float> state,
                num::View checkpoints,
                Arena& arena);

/// Overwrites the gradients of delta_scan(), computed from the gradient of o.
void delta_scan_backward(const DeltaShape& shape,
                         const DeltaInput& in,
                         num::ConstView checkpoints,
                         num::ConstView d_o,
                         const DeltaGradient& gradient,
                         Arena& arena);

}  // namespace oa::attention
