#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <cstddef>
#include <span>

namespace oa::attention {

// Gated linear attention (Yang, Wang, Shen, Panda and Kim, arXiv:2312.06635) of one
// sequence of n tokens, head by head:
//
//     S_t = diag(a_t) S_{t-1} + k_t v_t'      o_t = scale q_t' S_t
//
// with a decay 0 <= a_t <= 1 for each channel of a key, given as its logarithm.  Heads
// are column blocks of the views, which may begin anywhere and have any stride
// (packing.h).
//
// Inside a segment of tokens b_t is the sum of log a since its beginning; the state is
// kept as exp(-b_t) S_t, so that a step writes k_t exp(-b_t), reads q_t exp(b_t) and
// multiplies nothing.  A new segment begins where some |b_t| would pass 20: any decay
// is exact, also none and all, and no exponential overflows.
//
// n tokens, H heads, keys of width k and values of width v cost 4 n H k v FLOP and
// 2 n H k exponentials forward, three times as many FLOP and twice as many
// exponentials backward.

struct GatedShape {
  int heads = 1;
  int key_width = 1;
  int value_width = 1;
  float scale = 1.0F;
  int threads = 1;  ///< Heads are spread over them; results do not depend on it.
};

struct GatedInput {
  num::ConstView q;          ///< n x heads key_width
  num::ConstView k;          ///< n x heads key_width
  num::ConstView log_decay;  ///< n x heads key_width, none above 0
  num::ConstView v;          ///< n x heads value_width
};

struct GatedGradient {
  num::View q;
  num::View k;
  num::View log_decay;
  num::View v;
};

/// Floats that a state has: for each head S, padded to whole vectors.  A state of zeros
/// is that before the first token; it must begin on a 64-byte boundary.
[[nodiscard]] int gated_state_size(const GatedShape& shape);

/// Bytes that the two functions below take of their arena while they run.
[[nodiscard]] std::size_t gated_scan_bytes(const GatedShape& shape);
[[nodiscard]] std::size_t gated_scan_backward_bytes(const GatedShape& shape);

/// o (n x heads value_width) of n tokens that follow those that `state` has seen.  It
/// moves on, so that a step of decoding is a call with one token.
void gated_scan(const GatedShape& shape,
                const GatedInput& in,
                num::View o,
                std::span<float> state,
                Arena& arena);

/// Gradients of gated_scan() from a state of zeros, given that of o.  They replace what
/// is there.  Nothing was saved: two scans from the end and one from the beginning.
void gated_scan_backward(const GatedShape& shape,
                         const GatedInput& in,
                         num::ConstView d_o,
                         const GatedGradient& gradient,
                         Arena& arena);

}  // namespace oa::attention
