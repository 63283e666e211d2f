#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace oa::attention {

// Selective state-space scan (Gu and Dao, arXiv:2312.00752) for one sequence of n
// tokens x, with steps dt.  Each channel e of E has N states h,
//
//     h_t[j,e] = exp(dt_t[e] a[j,e]) h_{t-1}[j,e] + dt_t[e] x_t[e] b_t[j]
//     y_t[e]   = sum_j h_t[j,e] c_t[j] + skip[e] x_t[e].
//
// Vectors run along channels, so `a` has a row for each state.
// Eight states stay in registers over the tokens of a chunk.
// Most of the time is spent on n E N exponentials; besides, forward costs n E (6 N + 3)
// FLOPs, backward n E (22 N + 8).  Views may have any alignment and stride (packing.h).

/// The number of tokens between two checkpoints of the state.
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

/// Gradients: those of x, dt, b and c are overwritten, those of parameters added to.
struct SelectiveGradient {
  num::View x;
  num::View dt;
  num::View b;
  num::View c;
  num::View a;
  std::span<float> skip;
};

/// The number of floats in a state, padded.
/// A state starts as zeros and is aligned to 64 bytes.
[[nodiscard]] std::int64_t selective_state_size(const SelectiveShape& shape);

/// The number of floats in the checkpoints of n tokens, one every kStateChunk tokens.
[[nodiscard]] std::int64_t selective_checkpoint_size(const SelectiveShape& shape,
                                                     int n);

/// The bytes that selective_scan() and its backward (of n tokens) take of their arena.
[[nodiscard]] std::size_t selective_scan_bytes(const SelectiveShape& shape);
[[nodiscard]] std::size_t selective_scan_backward_bytes(const SelectiveShape& shape,
                                                        int n);

/// Computes y (n x channels) of n tokens after `state`, and updates `state`.
/// Decoding is a call for each token.
/// `checkpoints` receives the state before each chunk for gradients; it may be empty.
void selective_scan(const SelectiveShape& shape,
                    const SelectiveInput& in,
                    num::View y,
                    std::span<float> state,
                    std::span<float> checkpoints,
                    Arena& arena);

/// Computes the gradients of selective_scan() with a zero initial state from that of y.
/// Recomputes the states of one chunk for 16 channels at a time from a checkpoint.
/// Takes 4 (kStateChunk + 1) N 16 floats a thread instead of n E N.
void selective_scan_backward(const SelectiveShape& shape,
                             const SelectiveInput& in,
                             std::span<const float> checkpoints,
                             num::ConstView dy,
                             const SelectiveGradient& gradient,
                             Arena& arena);

}  // namespace oa::attention
