#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace oa::attention {

// Selective state-space scan (Gu and Dao, arXiv:2312.00752) of one sequence of n
// tokens. Each channel e of E has N states,
//
//     h_t[j,e] = exp(dt_t[e] a[j,e]) h_{t-1}[j,e] + dt_t[e] x_t[e] b_t[j]
//     y_t[e]   = sum_j h_t[j,e] c_t[j] + skip[e] x_t[e].
//
// Vectors run along channels, so `a` has states as rows.  Eight states stay in
// registers over the tokens of a chunk.  Most of the time goes to its n E N
// exponentials; besides them it costs n E (6 N + 3) FLOPs, and n E (22 N + 8) backward.
// Views may have any alignment and stride (packing.h).

/// Tokens between two checkpoints of the state.
inline constexpr int kStateChunk = 64;

struct SelectiveShape {
  int channels = 1;
  int states = 1;
  int threads = 1;  ///< channels are distributed over them; results do not depend on it
};

struct SelectiveInput {
  num::ConstView x;             ///< n x channels
  num::ConstView dt;            ///< n x channels, not negative
  num::ConstView b;             ///< n x states
  num::ConstView c;             ///< n x states
  num::ConstView a;             ///< states x channels, not positive
  std::span<const float> skip;  ///< channels, or empty
};

/// Overwrites x, dt, b and c, and adds to the parameters.
struct SelectiveGradient {
  num::View x;
  num::View dt;
  num::View b;
  num::View c;
  num::View a;
  std::span<float> skip;
};

/// Floats of a state, padded.  The initial state is zero.  It must be aligned to 64
/// bytes.
[[nodiscard]] std::int64_t selective_state_size(const SelectiveShape& shape);

/// Floats of the checkpoints of n tokens: one state for each chunk of kStateChunk.
[[nodiscard]] std::int64_t selective_checkpoint_size(const SelectiveShape& shape,
                                                     int n);

/// Bytes that the two functions below take of their arena, the second for n tokens.
[[nodiscard]] std::size_t selective_scan_bytes(const SelectiveShape& shape);
[[nodiscard]] std::size_t selective_scan_backward_bytes(const SelectiveShape& shape,
                                                        int n);

/// Computes y (n x channels) of n tokens after `state`, and updates it.  A step of
/// decoding is a call with one token.  `checkpoints` receives the states before each
/// chunk, which gradients need; it may be empty.
void selective_scan(const SelectiveShape& shape,
                    const SelectiveInput& in,
                    num::View y,
                    std::span<float> state,
                    std::span<float> checkpoints,
                    Arena& arena);

/// Gradients of selective_scan() for a zero initial state, from that of y.  Recomputes
/// the states of one chunk from its checkpoint, for 16 channels at a time: 4
/// (kStateChunk + 1) N 16 floats a thread, never n E N.
void selective_scan_backward(const SelectiveShape& shape,
                             const SelectiveInput& in,
                             std::span<const float> checkpoints,
                             num::ConstView dy,
                             const SelectiveGradient& gradient,
                             Arena& arena);

}  // namespace oa::attention
