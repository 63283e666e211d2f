#include "survey/kernel/scan/selective_scan.h"

#include "survey/kernel/scan/blocks.h"
#include "survey/kernel/scan/channel_rows.h"
#include "survey/kernel/scan/packing.h"
#include "survey/kernel/scan/selective_chunk.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <numbers>

namespace oa::attention {
namespace {

constexpr int kLane = num::kLane;

using num::ConstView;
using num::View;

// The number of blocks of kLane channels in a group.  Sums over channels add up sums of
// groups, so they do not depend on the number of threads.
constexpr int kGroupBlocks = 8;

int blocks_of(const SelectiveShape& s) {
  return num::padded(s.channels) / kLane;
}

int groups_of(const SelectiveShape& s) {
  return (blocks_of(s) + kGroupBlocks - 1) / kGroupBlocks;
}

// A thread's memory for a chunk.
struct ChunkScratch {
  ChunkScratch(const SelectiveShape& s, Arena& arena)
      : dt(zeroed_floats(kStateChunk * kLane, arena)),
        x(zeroed_floats(kStateChunk * kLane, arena)),
        w(zeroed_floats(kStateChunk * kLane, arena)),
        y(zeroed_floats(kStateChunk * kLane, arena)),
        b(zeroed_floats(kStateChunk * s.states, arena)),
        c(zeroed_floats(kStateChunk * s.states, arena)),
        a(zeroed_floats(s.states * kLane * kGroupBlocks, arena)),
        skip(zeroed_floats(kLane * kGroupBlocks, arena)) {}

  // Reads `a`, in units of log 2, and `skip` of a group.
  void read_parameters(const SelectiveShape& s, const SelectiveInput& in, int group) {
    const int begin = group * kGroupBlocks;
    for (int i = begin; i < std::min(begin + kGroupBlocks, blocks_of(s)); ++i) {
      const int count = std::min(kLane, s.channels - i * kLane);
      pack(columns(in.a, i * kLane, count),
           std::numbers::log2e_v<float>,
           a + (i - begin) * s.states * kLane,
           kLane);
      for (int j = 0; j < count && !in.skip.empty(); ++j) {
        skip[(i - begin) * kLane + j] = in.skip[at(i * kLane + j)];
      }
    }
  }

  void read_tokens(const SelectiveShape& s,
                   const SelectiveInput& in,
                   int first,
                   int count) {
    for (int t = 0; t < count; ++t) {
      std::copy_n(in.b.row(first + t), s.states, b + t * s.states);
      std::copy_n(in.c.row(first + t), s.states, c + t * s.states);
    }
  }

  // Reads dt, x and w of a block of channels.
  void read_channels(const SelectiveInput& in, int first, int count, int block) {
    const int channel = block * kLane;
    const int some = std::min(kLane, in.x.cols - channel);
    pack(row_block(columns(in.dt, channel, some), first, count), 1.0F, dt, kLane);
    pack(row_block(columns(in.x, channel, some), first, count), 1.0F, x, kLane);
    for (int i = 0; i < count * kLane; ++i) {
      w[i] = dt[i] * x[i];
    }
  }

  [[nodiscard]] ChannelChunk chunk(const SelectiveShape& s,
                                   int count,
                                   int block,
                                   float* h) const {
    const float* decay = a + block % kGroupBlocks * s.states * kLane;
    return {count, s.states, decay, dt, w, b, c, h};
  }

  float* dt;
  float* x;
  float* w;
  float* y;
  float* b;
  float* c;
  float* a;
  float* skip;
};

void scan_group(const SelectiveShape& s,
                const SelectiveInput& in,
                View y,
                std::span<float> state,
                std::span<float> checkpoints,
                int group,
                ChunkScratch& x) {
  const int each = s.states * kLane;
  const int begin = group * kGroupBlocks;
  const int end = std::min(begin + kGroupBlocks, blocks_of(s));
  const std::int64_t size = selective_state_size(s);
  x.read_parameters(s, in, group);
  for (int t = 0; t < y.rows; t += kStateChunk) {
    const int count = std::min(kStateChunk, y.rows - t);
    x.read_tokens(s, in, t, count);
    for (int block = begin; block < end; ++block) {
      float* h = state.data() + static_cast<std::ptrdiff_t>(block) * each;
      if (!checkpoints.empty()) {
        std::copy_n(h,
                    each,
                    checkpoints.data() + std::int64_t{t / kStateChunk} * size +
                        std::int64_t{block} * each);
      }
      const auto channels_of = [&](auto view) {
        const int channel = block * kLane;
        return row_block(
            columns(view, channel, std::min(kLane, s.channels - channel)), t, count);
      };
      const ChannelViews io{channels_of(in.dt),
                            channels_of(in.x),
                            channels_of(y),
                            x.skip + (block - begin) * kLane,
                            x.y};
      scan_chunk(x.chunk(s, count, block, h), io);
    }
  }
}

// A thread's memory for gradients, and the state of its channels between chunks.
struct SlopeScratch : ChunkScratch {
  SlopeScratch(const SelectiveShape& s, Arena& arena)
      : ChunkScratch(s, arena),
        dy(zeroed_floats(kStateChunk * kLane, arena)),
        d_w(zeroed_floats(kStateChunk * kLane, arena)),
        d_dt(zeroed_floats(kStateChunk * kLane, arena)),
        h(zeroed_floats(s.states * kLane, arena)),
        before(zeroed_floats(kStateChunk * s.states * kLane, arena)),
        decay(zeroed_floats(kStateChunk * s.states * kLane, arena)),
        db(zeroed_floats(kStateChunk * s.states * kLane, arena)),
        dc(zeroed_floats(kStateChunk * s.states * kLane, arena)),
        g(zeroed_floats(s.states * kLane * kGroupBlocks, arena)),
        da(zeroed_floats(s.states * kLane * kGroupBlocks, arena)) {}

  float* dy;
  float* d_w;
  float* d_dt;
  float* h;
  float* before;
  float* decay;
  float* db;
  float* dc;
  float* g;
  float* da;
};

// Computes the gradients of x and dt of a block of channels, from that of w = dt x.
void channel_slopes(const SelectiveGradient& to,
                    const SlopeScratch& x,
                    const float* skip,
                    int first,
                    int count,
                    int channel) {
  const int some = std::min(kLane, to.x.cols - channel);
  for (int t = 0; t < count; ++t) {
    std::array<float, kLane> dx;
    std::array<float, kLane> d_dt;
    for (int i = 0; i < kLane; ++i) {
      const int from = t * kLane + i;
      dx[at(i)] = x.dt[from] * x.d_w[from] + skip[i] * x.dy[from];
      d_dt[at(i)] = x.d_dt[from] + x.x[from] * x.d_w[from];
    }
    std::copy_n(dx.data(), some, to.x.row(first + t) + channel);
    std::copy_n(d_dt.data(), some, to.dt.row(first + t) + channel);
  }
  if (!to.skip.empty()) {
    add_row_products(x.x, x.dy, count, some, to.skip.data() + channel);
  }
}

// Visits a group's chunks from last to first.
// db and dc (n x states) receive sums over the group's channels.
void slope_group(const SelectiveShape& s,
                 const SelectiveInput& in,
                 std::span<const float> checkpoints,
                 ConstView dy,
                 const SelectiveGradient& to,
                 int group,
                 float* db,
                 float* dc,
                 SlopeScratch& x) {
  const int each = s.states * kLane;
  const int begin = group * kGroupBlocks;
  const int end = std::min(begin + kGroupBlocks, blocks_of(s));
  x.read_parameters(s, in, group);
  std::fill_n(x.g, each * kGroupBlocks, 0.0F);
  std::fill_n(x.da, each * kGroupBlocks, 0.0F);
  for (int chunk = (dy.rows - 1) / kStateChunk; chunk >= 0 && dy.rows > 0; --chunk) {
    const int t = chunk * kStateChunk;
    const int count = std::min(kStateChunk, dy.rows - t);
    x.read_tokens(s, in, t, count);
    std::fill_n(x.db, kStateChunk * each, 0.0F);
    std::fill_n(x.dc, kStateChunk * each, 0.0F);
    const float* saved =
        checkpoints.data() + std::int64_t{chunk} * selective_state_size(s);
    for (int block = begin; block < end; ++block) {
      x.read_channels(in, t, count, block);
      const int channel = block * kLane;
      const int some = std::min(kLane, s.channels - channel);
      pack(row_block(columns(dy, channel, some), t, count), 1.0F, x.dy, kLane);
      std::copy_n(saved + std::int64_t{block} * each, each, x.h);
      std::fill_n(x.d_w, kStateChunk * kLane, 0.0F);
      std::fill_n(x.d_dt, kStateChunk * kLane, 0.0F);
      const ChannelChunk k = x.chunk(s, count, block, x.h);
      const ChannelSlopes slopes{x.dy,
                                 x.before,
                                 x.decay,
                                 x.db,
                                 x.dc,
                                 x.g + (block - begin) * each,
                                 x.da + (block - begin) * each,
                                 x.d_w,
                                 x.d_dt};
      repeat_chunk(k, slopes);
      slope_chunk(k, slopes);
      channel_slopes(to, x, x.skip + (block - begin) * kLane, t, count, channel);
    }
    const std::int64_t first = std::int64_t{t} * s.states;
    sum_lanes(x.db, count * s.states, db + first);
    sum_lanes(x.dc, count * s.states, dc + first);
  }
  for (int channel = begin * kLane; channel < std::min(end * kLane, s.channels);
       ++channel) {
    const int from = (channel / kLane - begin) * each + channel % kLane;
    for (int j = 0; j < s.states; ++j) {
      to.a(j, channel) += x.da[from + j * kLane];
    }
  }
}

}  // namespace

std::int64_t selective_state_size(const SelectiveShape& shape) {
  return std::int64_t{num::padded(shape.channels)} * shape.states;
}

std::int64_t selective_checkpoint_size(const SelectiveShape& shape, int n) {
  const int chunks = (n + kStateChunk - 1) / kStateChunk;
  return std::int64_t{chunks} * selective_state_size(shape);
}

std::size_t selective_scan_bytes(const SelectiveShape& shape) {
  return head_groups_bytes<ChunkScratch>(groups_of(shape), shape.threads, shape);
}

std::size_t selective_scan_backward_bytes(const SelectiveShape& shape, int n) {
  const int groups = groups_of(shape);
  return bytes_taken([&](Arena& arena) {
    const std::int64_t size = std::int64_t{n} * shape.states * groups;
    (void)zeroed_floats(size, arena);
    (void)zeroed_floats(size, arena);
    (void)arena.allocate(head_groups_bytes<SlopeScratch>(groups, shape.threads, shape));
  });
}

void selective_scan(const SelectiveShape& shape,
                    const SelectiveInput& in,
                    View y,
                    std::span<float> state,
                    std::span<float> checkpoints,
                    Arena& arena) {
  assert(in.x.cols == shape.channels && same_shape(in.x, in.dt));
  assert(same_shape(in.x, y) && same_shape(in.b, in.c) && in.b.cols == shape.states);
  assert(in.a.rows == shape.states && in.a.cols == shape.channels);
  assert(std::ssize(state) >= selective_state_size(shape));
  for_each_head<ChunkScratch>(
      groups_of(shape),
      shape.threads,
      arena,
      [&](ChunkScratch& x, int group) {
        scan_group(shape, in, y, state, checkpoints, group, x);
      },
      shape);
}

void selective_scan_backward(const SelectiveShape& shape,
                             const SelectiveInput& in,
                             std::span<const float> checkpoints,
                             ConstView dy,
                             const SelectiveGradient& gradient,
                             Arena& arena) {
  const int n = dy.rows;
  const int groups = groups_of(shape);
  assert(std::ssize(checkpoints) >= selective_checkpoint_size(shape, n));
  const std::size_t mark = arena.mark();
  const std::int64_t size = std::int64_t{n} * shape.states;
  float* db = zeroed_floats(size * groups, arena);
  float* dc = zeroed_floats(size * groups, arena);
  for_each_head<SlopeScratch>(
      groups,
      shape.threads,
      arena,
      [&](SlopeScratch& x, int g) {
        slope_group(
            shape, in, checkpoints, dy, gradient, g, db + g * size, dc + g * size, x);
      },
      shape);
  for (int t = 0; t < n; ++t) {
    for (int j = 0; j < shape.states; ++j) {
      float b = 0.0F;
      float c = 0.0F;
      for (int g = 0; g < groups; ++g) {
        const std::int64_t from = g * size + std::int64_t{t} * shape.states + j;
        b += db[from];
        c += dc[from];
      }
      gradient.b(t, j) = b;
      gradient.c(t, j) = c;
    }
  }
  arena.release(mark);
}

}  // namespace oa::attention
