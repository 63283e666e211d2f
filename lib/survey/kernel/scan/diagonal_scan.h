#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace oa::attention {

// A diagonal state-space model with complex states s (Dao et al., arXiv:2212.14052) for
// one sequence of n tokens p.  Each channel has P pairs of conjugate states,
//
//     s_t[j] = pole[j] s_{t-1}[j] + p_t
//     y_t    = sum_j 2 Re(out[j] s_t[j]) + skip p_t
//
// Vectors run along channels, so parameters have a row for each pair.
// A few pairs stay in registers over the tokens of a chunk. n channels (12 P + 2)
// FLOPs; 4 times as many for backward, with a checkpoint of the states every 64 tokens.
// Views may have any alignment and stride (packing.h).

struct DiagonalShape {
  int channels = 1;
  int pairs = 1;
  int threads = 1;  ///< channels are distributed over them; results do not depend on it
};

struct DiagonalInput {
  num::ConstView p;        ///< n x channels
  num::ConstView pole_re;  ///< pairs x channels, poles within the unit circle
  num::ConstView pole_im;
  num::ConstView out_re;  ///< pairs x channels
  num::ConstView out_im;
  std::span<const float> skip;  ///< channels, or empty
};

/// The gradients: that of p is overwritten, those of parameters are added to.
struct DiagonalGradient {
  num::View p;
  num::View pole_re;
  num::View pole_im;
  num::View out_re;
  num::View out_im;
  std::span<float> skip;
};

/// The number of floats in a state, padded.
/// A state starts as zeros and is aligned to 64 bytes.
[[nodiscard]] std::int64_t diagonal_state_size(const DiagonalShape& shape);

/// The number of floats in the checkpoints of n tokens.
[[nodiscard]] std::int64_t diagonal_checkpoint_size(const DiagonalShape& shape, int n);

/// The bytes that diagonal_scan() and diagonal_scan_backward() take from their arena.
[[nodiscard]] std::size_t diagonal_scan_bytes(const DiagonalShape& shape);
[[nodiscard]] std::size_t diagonal_scan_backward_bytes(const DiagonalShape& shape);

/// Computes y (n x channels) of n tokens after `state`, and updates `state`.
/// `checkpoints` receives the states that gradients need; it may be empty.
void diagonal_scan(const DiagonalShape& shape,
                   const DiagonalInput& in,
                   num::View y,
                   std::span<float> state,
                   std::span<float> checkpoints,
                   Arena& arena);

/// Computes the gradients of diagonal_scan() with a zero initial state from those of y.
void diagonal_scan_backward(const DiagonalShape& shape,
                            const DiagonalInput& in,
                            std::span<const float> checkpoints,
                            num::ConstView dy,
                            const DiagonalGradient& gradient,
                            Arena& arena);

/// Computes poles exp(step (-exp(log_decay) + i frequency)), pairs x channels,
/// which lie within the unit circle.  A channel has one step > 0.
void diagonal_poles(num::ConstView log_decay,
                    num::ConstView frequency,
                    std::span<const float> step,
                    num::View pole_re,
                    num::View pole_im);

/// Adds the gradients of log_decay and frequency, from those of the poles.
void diagonal_poles_backward(num::ConstView log_decay,
                             num::ConstView frequency,
                             std::span<const float> step,
                             num::ConstView d_pole_re,
                             num::ConstView d_pole_im,
                             num::View d_log_decay,
                             num::View d_frequency);

}  // namespace oa::attention
