#include "survey/kernel/scan/diagonal_scan.h"

#include "survey/kernel/scan/blocks.h"
#include "survey/kernel/scan/channel_rows.h"
#include "survey/kernel/scan/packing.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

#ifndef OA_ATTENTION_KERNEL_DIAGONAL_CHUNK  // once, not once per target
#define OA_ATTENTION_KERNEL_DIAGONAL_CHUNK
namespace oa::attention {
namespace {

// A chunk of tokens for num::kLane channels, packed; letters as in diagonal_scan.h.
struct DiagonalChunk {
  int steps;
  int pairs;
  const float*
      pole;          // 2 pairs rows: real and imaginary parts alternate, here and below
  const float* out;  // of 2 out, with negative imaginary part
  const float* p;    // steps rows
  float* s;          // states
  float* y;          // steps rows, added to
};

struct DiagonalSlopes {
  const float* dy;  // steps rows
  float* history;   // steps x 2 pairs rows: states before each token
  float* g;         // gradient of s, updated from token to token
  float* d_pole;    // added to, like those below
  float* d_out;     // gradient of `out`
  float* dp;        // steps rows
};

}  // namespace
}  // namespace oa::attention
#endif

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, num::kLane>;

#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kPairs = 4;
#else
constexpr int kPairs = 2;
#endif

#define OA_UNROLL _Pragma("GCC unroll 8")

// Scans pairs first .. first+P-1 of the lanes from `lane` on, held in registers.
template <int P>
HWY_ATTR void scan_pairs(const DiagonalChunk& k, int first, int lane) {
  const Floats d;
  hn::Vec<Floats> s[2 * P];
  hn::Vec<Floats> pole[2 * P];
  hn::Vec<Floats> out[2 * P];
  const std::ptrdiff_t begin = std::ptrdiff_t{2} * first * num::kLane + lane;
  OA_UNROLL for (int j = 0; j < 2 * P; ++j) {
    s[j] = hn::Load(d, k.s + begin + j * num::kLane);
    pole[j] = hn::Load(d, k.pole + begin + j * num::kLane);
    out[j] = hn::Load(d, k.out + begin + j * num::kLane);
  }
  for (int t = 0; t < k.steps; ++t) {
    const auto p = hn::Load(d, k.p + t * num::kLane + lane);
    auto y = hn::Load(d, k.y + t * num::kLane + lane);
    OA_UNROLL for (int j = 0; j < 2 * P; j += 2) {
      const auto re =
          hn::NegMulAdd(pole[j + 1], s[j + 1], hn::MulAdd(pole[j], s[j], p));
      s[j + 1] = hn::MulAdd(pole[j + 1], s[j], hn::Mul(pole[j], s[j + 1]));
      s[j] = re;
      y = hn::MulAdd(out[j], s[j], y);
      y = hn::MulAdd(out[j + 1], s[j + 1], y);
    }
    hn::Store(y, d, k.y + t * num::kLane + lane);
  }
  OA_UNROLL for (int j = 0; j < 2 * P; ++j) {
    hn::Store(s[j], d, k.s + begin + j * num::kLane);
  }
}

HWY_ATTR void diagonal_chunk(const DiagonalChunk& k) {
  const int lanes = static_cast<int>(hn::Lanes(Floats()));
  for (int lane = 0; lane < num::kLane; lane += lanes) {
    int pair = 0;
    for (; pair + kPairs <= k.pairs; pair += kPairs) {
      scan_pairs<kPairs>(k, pair, lane);
    }
    for (; pair < k.pairs; ++pair) {
      scan_pairs<1>(k, pair, lane);
    }
  }
}

// Differentiates one pair of some lanes of a chunk:
// recomputes the states, then visits tokens from the last to the first.
HWY_ATTR void diagonal_slope_pair(const DiagonalChunk& k,
                                  const DiagonalSlopes& g,
                                  int re) {
  const Floats d;
  const int lane = re % num::kLane;
  const int im = re + num::kLane;
  const std::ptrdiff_t row = std::ptrdiff_t{2} * k.pairs * num::kLane;
  const auto pole_re = hn::Load(d, k.pole + re);
  const auto pole_im = hn::Load(d, k.pole + im);
  auto s_re = hn::Load(d, k.s + re);
  auto s_im = hn::Load(d, k.s + im);
  for (int t = 0; t < k.steps; ++t) {
    hn::Store(s_re, d, g.history + t * row + re);
    hn::Store(s_im, d, g.history + t * row + im);
    const auto p = hn::Load(d, k.p + t * num::kLane + lane);
    const auto next = hn::NegMulAdd(pole_im, s_im, hn::MulAdd(pole_re, s_re, p));
    s_im = hn::MulAdd(pole_im, s_re, hn::Mul(pole_re, s_im));
    s_re = next;
  }
  const auto out_re = hn::Load(d, k.out + re);
  const auto out_im = hn::Load(d, k.out + im);
  auto g_re = hn::Load(d, g.g + re);
  auto g_im = hn::Load(d, g.g + im);
  auto d_pole_re = hn::Load(d, g.d_pole + re);
  auto d_pole_im = hn::Load(d, g.d_pole + im);
  auto d_out_re = hn::Load(d, g.d_out + re);
  auto d_out_im = hn::Load(d, g.d_out + im);
  for (int t = k.steps - 1; t >= 0; --t) {
    const auto dy = hn::Load(d, g.dy + t * num::kLane + lane);
    d_out_re = hn::MulAdd(dy, s_re, d_out_re);
    d_out_im = hn::MulAdd(dy, s_im, d_out_im);
    g_re = hn::MulAdd(out_re, dy, g_re);
    g_im = hn::MulAdd(out_im, dy, g_im);
    float* dp = g.dp + t * num::kLane + lane;
    hn::Store(hn::Add(hn::Load(d, dp), g_re), d, dp);
    s_re = hn::Load(d, g.history + t * row + re);
    s_im = hn::Load(d, g.history + t * row + im);
    d_pole_re = hn::MulAdd(g_re, s_re, hn::MulAdd(g_im, s_im, d_pole_re));
    d_pole_im = hn::NegMulAdd(g_re, s_im, hn::MulAdd(g_im, s_re, d_pole_im));
    const auto next = hn::MulAdd(pole_im, g_im, hn::Mul(pole_re, g_re));
    g_im = hn::NegMulAdd(pole_im, g_re, hn::Mul(pole_re, g_im));
    g_re = next;
  }
  hn::Store(g_re, d, g.g + re);
  hn::Store(g_im, d, g.g + im);
  hn::Store(d_pole_re, d, g.d_pole + re);
  hn::Store(d_pole_im, d, g.d_pole + im);
  hn::Store(d_out_re, d, g.d_out + re);
  hn::Store(d_out_im, d, g.d_out + im);
}

HWY_ATTR void diagonal_slope_chunk(const DiagonalChunk& k, const DiagonalSlopes& g) {
  const int lanes = static_cast<int>(hn::Lanes(Floats()));
  for (int pair = 0; pair < k.pairs; ++pair) {
    for (int lane = 0; lane < num::kLane; lane += lanes) {
      diagonal_slope_pair(k, g, 2 * pair * num::kLane + lane);
    }
  }
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(diagonal_chunk);
HWY_EXPORT(diagonal_slope_chunk);

using num::ConstView;
using num::View;

constexpr int kLane = num::kLane;
constexpr int kChunk = 64;

// The number of blocks of kLane channels.
int blocks_of(const DiagonalShape& s) {
  return num::padded(s.channels) / kLane;
}

// A thread's memory for a chunk of a block of channels.
struct DiagonalScratch {
  DiagonalScratch(const DiagonalShape& s, Arena& arena)
      : row(2 * s.pairs * kLane),
        pole(zeroed_floats(row, arena)),
        out(zeroed_floats(row, arena)),
        skip(zeroed_floats(kLane, arena)),
        p(zeroed_floats(kChunk * kLane, arena)),
        y(zeroed_floats(kChunk * kLane, arena)) {}

  void read_parameters(const DiagonalInput& in, int channel) {
    const int count = std::min(kLane, in.p.cols - channel);
    for (int j = 0; j < in.pole_re.rows; ++j) {
      const auto read = [&](ConstView from, float scale, float* to) {
        pack(row_block(columns(from, channel, count), j, 1), scale, to, kLane);
      };
      read(in.pole_re, 1.0F, pole + 2 * j * kLane);
      read(in.pole_im, 1.0F, pole + (2 * j + 1) * kLane);
      read(in.out_re, 2.0F, out + 2 * j * kLane);
      read(in.out_im, -2.0F, out + (2 * j + 1) * kLane);
    }
    std::fill_n(skip, kLane, 0.0F);
    for (int i = 0; i < count && !in.skip.empty(); ++i) {
      skip[i] = in.skip[at(channel + i)];
    }
  }

  // Reads p, and sets y to skip * p.
  void read_tokens(const DiagonalInput& in, int channel, int first, int count) {
    const int some = std::min(kLane, in.p.cols - channel);
    pack(row_block(columns(in.p, channel, some), first, count), 1.0F, p, kLane);
    multiply_rows(skip, p, count, y);
  }

  int row;
  float* pole;
  float* out;
  float* skip;
  float* p;
  float* y;
};

struct DiagonalSlopeScratch : DiagonalScratch {
  DiagonalSlopeScratch(const DiagonalShape& shape, Arena& arena)
      : DiagonalScratch(shape, arena),
        dy(zeroed_floats(kChunk * kLane, arena)),
        dp(zeroed_floats(kChunk * kLane, arena)),
        s(zeroed_floats(row, arena)),
        g(zeroed_floats(row, arena)),
        d_pole(zeroed_floats(row, arena)),
        d_out(zeroed_floats(row, arena)),
        history(zeroed_floats(kChunk * row, arena)) {}

  float* dy;
  float* dp;
  float* s;
  float* g;
  float* d_pole;
  float* d_out;
  float* history;
};

void scan_channels(const DiagonalInput& in,
                   View y,
                   std::span<float> state,
                   std::span<float> checkpoints,
                   int block,
                   DiagonalScratch& x) {
  const int channel = block * kLane;
  const int some = std::min(kLane, y.cols - channel);
  float* s = state.data() + std::int64_t{block} * x.row;
  x.read_parameters(in, channel);
  for (int t = 0; t < y.rows; t += kChunk) {
    const int count = std::min(kChunk, y.rows - t);
    if (!checkpoints.empty()) {
      const std::int64_t size = std::int64_t{num::padded(y.cols) / kLane} * x.row;
      std::copy_n(s,
                  x.row,
                  checkpoints.data() + t / kChunk * size + std::int64_t{block} * x.row);
    }
    x.read_tokens(in, channel, t, count);
    HWY_DYNAMIC_DISPATCH(diagonal_chunk)
    ({count, x.row / (2 * kLane), x.pole, x.out, x.p, s, x.y});
    unpack(x.y, kLane, row_block(columns(y, channel, some), t, count));
  }
}

// Adds the parameter gradients of a block of channels.
void add_parameters(const DiagonalGradient& to,
                    const DiagonalSlopeScratch& x,
                    int channel) {
  for (int j = 0; j < to.pole_re.rows; ++j) {
    for (int i = 0; i < std::min(kLane, to.p.cols - channel); ++i) {
      const int re = 2 * j * kLane + i;
      const int im = re + kLane;
      to.pole_re(j, channel + i) += x.d_pole[re];
      to.pole_im(j, channel + i) += x.d_pole[im];
      to.out_re(j, channel + i) += 2.0F * x.d_out[re];
      to.out_im(j, channel + i) -= 2.0F * x.d_out[im];
    }
  }
}

void slope_channels(const DiagonalInput& in,
                    std::span<const float> checkpoints,
                    ConstView dy,
                    const DiagonalGradient& to,
                    int block,
                    DiagonalSlopeScratch& x) {
  const int channel = block * kLane;
  const int some = std::min(kLane, dy.cols - channel);
  const std::int64_t size = std::int64_t{num::padded(dy.cols) / kLane} * x.row;
  x.read_parameters(in, channel);
  for (float* sums : {x.g, x.d_pole, x.d_out}) {
    std::fill_n(sums, x.row, 0.0F);
  }
  for (int chunk = (dy.rows - 1) / kChunk; chunk >= 0 && dy.rows > 0; --chunk) {
    const int t = chunk * kChunk;
    const int count = std::min(kChunk, dy.rows - t);
    x.read_tokens(in, channel, t, count);
    pack(row_block(columns(dy, channel, some), t, count), 1.0F, x.dy, kLane);
    multiply_rows(x.skip, x.dy, count, x.dp);
    if (!to.skip.empty()) {
      add_row_products(x.p, x.dy, count, some, to.skip.data() + channel);
    }
    std::copy_n(
        checkpoints.data() + chunk * size + std::int64_t{block} * x.row, x.row, x.s);
    HWY_DYNAMIC_DISPATCH(diagonal_slope_chunk)
    ({count, x.row / (2 * kLane), x.pole, x.out, x.p, x.s, x.y},
     {x.dy, x.history, x.g, x.d_pole, x.d_out, x.dp});
    unpack(x.dp, kLane, row_block(columns(to.p, channel, some), t, count));
  }
  add_parameters(to, x, channel);
}

}  // namespace

std::int64_t diagonal_state_size(const DiagonalShape& shape) {
  return std::int64_t{2} * shape.pairs * num::padded(shape.channels);
}

std::int64_t diagonal_checkpoint_size(const DiagonalShape& shape, int n) {
  return std::int64_t{(n + kChunk - 1) / kChunk} * diagonal_state_size(shape);
}

std::size_t diagonal_scan_bytes(const DiagonalShape& shape) {
  return head_groups_bytes<DiagonalScratch>(blocks_of(shape), shape.threads, shape);
}

std::size_t diagonal_scan_backward_bytes(const DiagonalShape& shape) {
  return head_groups_bytes<DiagonalSlopeScratch>(
      blocks_of(shape), shape.threads, shape);
}

void diagonal_scan(const DiagonalShape& shape,
                   const DiagonalInput& in,
                   View y,
                   std::span<float> state,
                   std::span<float> checkpoints,
                   Arena& arena) {
  assert(in.p.cols == shape.channels && same_shape(in.p, y));
  assert(in.pole_re.rows == shape.pairs && same_shape(in.pole_re, in.out_re));
  assert(std::ssize(state) >= diagonal_state_size(shape));
  for_each_head<DiagonalScratch>(
      blocks_of(shape),
      shape.threads,
      arena,
      [&](DiagonalScratch& x, int block) {
        scan_channels(in, y, state, checkpoints, block, x);
      },
      shape);
}

void diagonal_scan_backward(const DiagonalShape& shape,
                            const DiagonalInput& in,
                            std::span<const float> checkpoints,
                            ConstView dy,
                            const DiagonalGradient& gradient,
                            Arena& arena) {
  assert(std::ssize(checkpoints) >= diagonal_checkpoint_size(shape, dy.rows));
  for_each_head<DiagonalSlopeScratch>(
      blocks_of(shape),
      shape.threads,
      arena,
      [&](DiagonalSlopeScratch& x, int block) {
        slope_channels(in, checkpoints, dy, gradient, block, x);
      },
      shape);
}

void diagonal_poles(ConstView log_decay,
                    ConstView frequency,
                    std::span<const float> step,
                    View pole_re,
                    View pole_im) {
  for (int j = 0; j < log_decay.rows; ++j) {
    for (int e = 0; e < log_decay.cols; ++e) {
      const float size = std::exp(-step[at(e)] * std::exp(log_decay(j, e)));
      const float angle = step[at(e)] * frequency(j, e);
      pole_re(j, e) = size * std::cos(angle);
      pole_im(j, e) = size * std::sin(angle);
    }
  }
}

void diagonal_poles_backward(ConstView log_decay,
                             ConstView frequency,
                             std::span<const float> step,
                             ConstView d_pole_re,
                             ConstView d_pole_im,
                             View d_log_decay,
                             View d_frequency) {
  for (int j = 0; j < log_decay.rows; ++j) {
    for (int e = 0; e < log_decay.cols; ++e) {
      const float rate = step[at(e)] * std::exp(log_decay(j, e));
      const float angle = step[at(e)] * frequency(j, e);
      const float re = std::exp(-rate) * std::cos(angle);
      const float im = std::exp(-rate) * std::sin(angle);
      d_log_decay(j, e) -= rate * (d_pole_re(j, e) * re + d_pole_im(j, e) * im);
      d_frequency(j, e) += step[at(e)] * (d_pole_im(j, e) * re - d_pole_re(j, e) * im);
    }
  }
}

}  // namespace oa::attention
#endif
