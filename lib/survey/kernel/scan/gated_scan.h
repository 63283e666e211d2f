#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace oa::attention {

// Gated linear attention (Yang, Wang, Shen, Panda and Kim,
// arXiv:2312.06635) for one sequence of n tokens, head by head:
//
//     S_t = diag(a_t) S_{t-1} + k_t v_t'      o_t = scale q_t' S_t
//
// with the logarithm of a decay 0 <= a_t <= 1 for each channel of a key.  Heads are
// column blocks of the views, which may have any alignment and stride (packing.h).
//
// Within a segment of tokens, b_t is the sum of log a since the start, and exp(-b_t)
// S_t is stored.  A step writes k_t exp(-b_t) and reads q_t exp(b_t), so the state
// needs no multiplication.  A new segment starts where some |b_t| would exceed 20.
// So no exponential overflows, and any decay is exact, including 0 and 1.
//
// n tokens, H heads, keys of width k and values of width v cost 4 n H k v FLOPs and 2 n
// H k exponentials; backward costs 3 times the FLOPs and twice the exponentials.

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

/// The number of floats in a state: S of each head, padded to whole vectors.
/// A state starts as zeros and is aligned to 64 bytes.
[[nodiscard]] std::int64_t gated_state_size(const GatedShape& shape);

/// The bytes that gated_scan() and gated_scan_backward() take from their arena.
[[nodiscard]] std::size_t gated_scan_bytes(const GatedShape& shape);
[[nodiscard]] std::size_t gated_scan_backward_bytes(const GatedShape& shape);

/// Computes o (n x heads value_width) of n tokens after `state`, and updates `state`.
/// Decoding is a call for each token.
void gated_scan(const GatedShape& shape,
                const GatedInput& in,
                num::View o,
                std::span<float> state,
                Arena& arena);

/// Overwrites the gradients of gated_scan() with a zero initial state, from that of o.
/// Forward saves nothing: two scans run from the end, one from the start.
void gated_scan_backward(const GatedShape& shape,
                         const GatedInput& in,
                         num::ConstView d_o,
                         const GatedGradient& gradient,
                         Arena& arena);

}  // namespace oa::attention
