#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace oa::attention {

// Ridge regression from keys k to values v (von Oswald et al., arXiv:2506.05233) for
// one sequence of n tokens, head by head.  With gates g and steps b:
//
//     H_t = g_t H_{t-1} + b_t k_t k_t'    S_t = g_t S_{t-1} + b_t k_t v_t'
//     z_t = (H_t + L)^-1 q_t              o_t = S_t' z_t
//
// with a positive diagonal L.  If not causal, H and S are sums over all tokens,
// without g.  Heads are column blocks of the views,
// which may have any alignment and stride (scan/packing.h).
//
// Conjugate gradients solve the systems of 32 queries together (conjugate_rows.h).
// For a chunk, the products p_t' H_t are the rows of P H + ((P (bK)') * N) K, where H
// is the state before the chunk, and N_ij the decay from token j to token i.
//
// With chunks of c tokens and heads of width w, a product costs 4ccw + 2cww FLOPs (the
// first chunk has no 2cww).  Forward takes steps + 1 products, and 4cww for the state.
// Backward solves one more system for each query:
// with w_t = (H_t + L)^-1 S_t do_t, the gradients are dq_t = w_t, dS_t += z_t do_t',
// dH_t -= (w_t z_t' + z_t w_t') / 2 and dL -= w_t * z_t, elementwise.

struct MesaShape {
  int heads = 1;
  int width = 1;  ///< of the keys and values of a head
  int steps = 30;
  bool causal = true;
  int threads = 1;  ///< heads are distributed over them; results do not depend on it
};

struct MesaInput {
  num::ConstView q;              ///< n x heads width
  num::ConstView k;              ///< n x heads width
  num::ConstView v;              ///< n x heads width
  num::ConstView gate;           ///< n x heads, 0 to 1; empty if not causal
  num::ConstView b;              ///< n x heads, not negative
  std::span<const float> ridge;  ///< L of all heads, heads width
};

struct MesaGradient {
  num::View q;
  num::View k;
  num::View v;
  num::View log_gate;
  num::View b;
  std::span<float> ridge;  ///< is added to
};

/// The number of floats in H and S of all heads, which are aligned to 64 bytes.
[[nodiscard]] std::int64_t mesa_state_size(const MesaShape& shape);

/// The number of states that forward keeps for backward over n tokens.
[[nodiscard]] int mesa_states(const MesaShape& shape, int n);

/// The FLOPs for n tokens.
[[nodiscard]] std::int64_t mesa_flops(const MesaShape& shape, int n);
[[nodiscard]] std::int64_t mesa_backward_flops(const MesaShape& shape, int n);

/// The bytes that mesa_forward(), mesa_step() or mesa_backward() take from their arena.
[[nodiscard]] std::size_t mesa_bytes(const MesaShape& shape);
[[nodiscard]] std::size_t mesa_backward_bytes(const MesaShape& shape);

/// Computes o and z, which backward needs.  `states` receives the states before all
/// chunks but the first, or has room for one state if no backward follows.
void mesa_forward(const MesaShape& shape,
                  const MesaInput& in,
                  num::View o,
                  num::View z,
                  std::span<float> states,
                  Arena& arena);

/// Computes the next token of a causal layer.  Views have one row.
void mesa_step(const MesaShape& shape,
               const MesaInput& in,
               num::View o,
               std::span<float> state,
               Arena& arena);

/// Overwrites the gradients of tokens, and adds to the gradient of the ridge L.
void mesa_backward(const MesaShape& shape,
                   const MesaInput& in,
                   num::ConstView z,
                   std::span<const float> states,
                   num::ConstView d_o,
                   const MesaGradient& gradient,
                   Arena& arena);

}  // namespace oa::attention
