#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace oa::attention {

// Gated linear attention (Yang, Wang, Shen, Panda and Kim, arXiv:2312.06635) of one
// sequence of n tokens, head by head:
//
//     S_t = diag(a_t) S_{t-1} + k_t v_t'      o_t = scale q_t' S_t
//
// with the logarithm of a decay 0 <= a_t <= 1 for each channel of a key.  Heads are
// column blocks of the views, which may have any alignment and stride (packing.h).
//
// Within a segment of tokens, b_t is the sum of log a since its start, and the stored
// state is exp(-b_t) S_t: a step writes k_t exp(-b_t), reads q_t exp(b_t) and needs no
// multiplication of the state.  A new segment starts where some |b_t| would exceed 20.
// Thus any decay is exact, 0 and 1 included, and no exponential overflows.
//
// n tokens, H heads, keys of width k and values of width v cost 4 n H k v FLOPs and 2 n
// H k exponentials forward, 3 times the FLOPs and twice the exponentials backward.

struct GatedShape {
  int heads = 1;
  int key_width = 1;
  int value_width = 1;
  float scale = 1.0F;
  int threads = 1;  ///< heads are distributed over them; results do not depend on it
};

struct GatedInput {
  num::ConstView q;          ///< n x heads key_width
  num::ConstView k;          ///< n x heads key_width
  num::ConstView log_decay;  ///< n x heads key_width, not positive
  num::ConstView v;          ///< n x heads value_width
};

struct GatedGradient {
  num::View q;
  num::View k;
  num::View log_decay;
  num::View v;
};

/// Floats of a state: S of each head, padded to whole vectors.  The initial state is
/// zero. It must be aligned to 64 bytes.
[[nodiscard]] std::int64_t gated_state_size(const GatedShape& shape);

/// Bytes that the two functions below take of their arena.
[[nodiscard]] std::size_t gated_scan_bytes(const GatedShape& shape);
[[nodiscard]] std::size_t gated_scan_backward_bytes(const GatedShape& shape);

/// Computes o (n x heads value_width) of n tokens after `state`, and updates it.  A
/// step of decoding is a call with one token.
void gated_scan(const GatedShape& shape,
                const GatedInput& in,
                num::View o,
                std::span<float> state,
                Arena& arena);

/// Gradients of gated_scan() for a zero initial state, from that of o; overwrites them.
/// Nothing was saved: runs two scans from the end and one from the start.
void gated_scan_backward(const GatedShape& shape,
                         const GatedInput& in,
                         num::ConstView d_o,
                         const GatedGradient& gradient,
                         Arena& arena);

}  // namespace oa::attention
