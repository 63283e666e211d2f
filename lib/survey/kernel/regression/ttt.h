#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace oa::attention {

// A linear model that learns while it reads (Sun et al., arXiv:2407.04620),
// for one sequence of n tokens, head by head.  The state S maps keys k to values v.
// Each batch of tokens makes one step of gradient descent from the state before the
// batch, with rates eta:
//
//     loss_j = |LN(S'k_j) + k_j - v_j|^2 / 2
//     G_j = the gradient of loss_j with respect to S'k_j
//     S_t = S - sum over j <= t of the batch of eta_j k_j G_j'
//     y_t = q_t + LN(S_t' q_t)
//
// The last S_t of a batch is the S of the next.  LN normalises a head, with a learned
// gain and shift.  Heads are column blocks of the views, which may have any alignment
// and stride (scan/packing.h).  A batch computes o_t = S_t' q_t without S_t:
//
//     O = Q S - (tril(Q K') diag(eta)) G
//
// A batch of c tokens and heads of width w costs 4cww + 4ccw FLOPs and 2cww for the
// next state; backward costs about 16cww + 12ccw.

struct TttShape {
  int heads = 1;
  int width = 1;  ///< of the keys and values of a head
  int batch = 16;
  int threads = 1;  ///< heads are distributed over them; results do not depend on it
};

struct TttInput {
  num::ConstView q;              ///< n x heads width
  num::ConstView k;              ///< n x heads width
  num::ConstView v;              ///< n x heads width
  num::ConstView eta;            ///< n x heads
  std::span<const float> gain;   ///< of LN, heads width
  std::span<const float> shift;  ///< of LN, heads width
  num::ConstView start;          ///< S before the first token: heads width x width
};

/// The gradients: those of inputs are overwritten, those of parameters added to.
struct TttGradient {
  num::View q;
  num::View k;
  num::View v;
  num::View eta;
  std::span<float> gain;
  std::span<float> shift;
  num::View start;
};

/// The number of floats in the states S of all heads.  States are aligned to 64 bytes.
[[nodiscard]] std::int64_t ttt_state_size(const TttShape& shape);

/// The number of states that forward keeps for backward over n tokens.
[[nodiscard]] int ttt_states(const TttShape& shape, int n);

/// The FLOPs for n tokens.
[[nodiscard]] std::int64_t ttt_flops(const TttShape& shape, int n);
[[nodiscard]] std::int64_t ttt_backward_flops(const TttShape& shape, int n);

/// The bytes that ttt_forward(), ttt_step() or ttt_backward() take from their arena.
[[nodiscard]] std::size_t ttt_bytes(const TttShape& shape);
[[nodiscard]] std::size_t ttt_backward_bytes(const TttShape& shape);

/// Computes y.  `states` receives the states before all batches but the first,
/// or has room for one state if no backward follows.
void ttt_forward(const TttShape& shape,
                 const TttInput& in,
                 num::View y,
                 std::span<float> states,
                 Arena& arena);

/// Computes token number `token`.  Views have one row.
/// `states` has room for two states, which token 0 sets.
void ttt_step(const TttShape& shape,
              const TttInput& in,
              int token,
              num::View y,
              std::span<float> states,
              Arena& arena);

/// Overwrites the gradients of tokens.
void ttt_backward(const TttShape& shape,
                  const TttInput& in,
                  std::span<const float> states,
                  num::ConstView dy,
                  const TttGradient& gradient,
                  Arena& arena);

}  // namespace oa::attention
