#include "survey/kernel/delta/delta_scan.h"

#include "oa/attention/kernel/heads.h"
#include "oa/base/index.h"
#include "oa/num/activation.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"
#include "survey/kernel/delta/decays.h"
#include "survey/kernel/delta/step.h"
#include "survey/kernel/scan/blocks.h"
#include "survey/kernel/scan/packing.h"
#include "survey/kernel/scan/triangle.h"

#include <algorithm>
#include <cassert>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

// Returns the part of a view for a block; a view without columns stays empty.
template <class AnyView>
AnyView part_of(const DeltaShape& s, AnyView x, const TokenBlock& b) {
  const int width = x.cols / s.heads;
  return width == 0 ? AnyView{nullptr, b.count, 0, 0}
                    : row_block(columns(x, b.head * width, width), b.first, b.count);
}

// A thread's memory for a block of a head, with letters as in delta_scan.h.
struct ChunkScratch {
  ChunkScratch(const DeltaShape& s, Arena& arena)
      : decays(s.key_width, arena),
        q(num::zeros(kDeltaTokens, s.key_width, arena)),
        k(num::zeros(kDeltaTokens, s.key_width, arena)),
        k_grown(num::zeros(kDeltaTokens, s.key_width, arena)),
        x(num::zeros(kDeltaTokens, s.value_width, arena)),
        u(num::zeros(kDeltaTokens, s.value_width, arena)),
        step(num::zeros(kDeltaTokens, s.value_width, arena)),
        o(num::zeros(kDeltaTokens, s.value_width, arena)),
        m(num::zeros(kDeltaTokens, kDeltaTokens, arena)),
        p(num::zeros(kDeltaTokens, kDeltaTokens, arena)),
        transposed(
            num::zeros(std::max(s.key_width, s.value_width), kDeltaTokens, arena)) {}

  DeltaDecays decays;
  View q;        // Q+
  View k;        // K+
  View k_grown;  // K-
  View x;
  View u;
  View step;
  View o;
  View m;
  View p;
  View transposed;  // K-' or U'
};

// Returns the rows of a chunk's tokens; square matrices have as many columns.
View rows_at(View all, const DeltaChunk& c) {
  return row_block(all, c.begin, c.end - c.begin);
}
View square_at(View all, const DeltaChunk& c) {
  return {all.data, c.end - c.begin, c.end - c.begin, all.stride};
}
// Returns the transpose of a, stored in `memory`.
View transpose_into(ConstView a, View memory) {
  const View t{memory.data, a.cols, a.rows, memory.stride};
  num::transpose(a, t);
  return t;
}

// Copies each token's step to all columns of its values.
void pack_steps(ConstView step, View to) {
  for (int i = 0; i < step.rows; ++i) {
    std::fill_n(to.row(i), to.cols, step(i, 0));
  }
}

void pack_block(const DeltaShape& s,
                const DeltaInput& in,
                const TokenBlock& b,
                ChunkScratch& x) {
  x.decays.make(part_of(s, in.log_decay, b));
  const int keys = x.q.stride;
  const ConstView k = part_of(s, in.k, b);
  pack_product(part_of(s, in.q, b), 1.0F, x.decays.shrink(0), x.q.data, keys);
  pack_product(k, 1.0F, x.decays.shrink(0), x.k.data, keys);
  pack_product(k, 1.0F, x.decays.grow(0), x.k_grown.data, keys);
  pack(part_of(s, in.v, b), 1.0F, x.x.data, x.x.stride);
  pack_steps(part_of(s, in.step, b), x.step);
}

// Computes M = K+ K-' and the transpose K-' for a chunk.
void couple(const DeltaChunk& c, ChunkScratch& x) {
  num::matmul(rows_at(x.k, c),
              transpose_into(rows_at(x.k_grown, c), x.transposed),
              square_at(x.m, c));
}

// Computes X and U of a chunk, after couple().
// `state` already includes the decay of the chunk's first token.
void correct(const DeltaChunk& c, ConstView state, ChunkScratch& x) {
  num::matmul_add(rows_at(x.k, c), state, rows_at(x.x, c), -1.0F);
  solve_lower(square_at(x.m, c), rows_at(x.step, c), rows_at(x.x, c), rows_at(x.u, c));
}

// Computes P = Q+ K-', after couple().  Elements above the diagonal are undefined.
void score(const DeltaChunk& c, ChunkScratch& x) {
  num::matmul(rows_at(x.q, c),
              {x.transposed.data, x.k.cols, c.end - c.begin, x.transposed.stride},
              square_at(x.p, c));
}

void remember(const DeltaChunk& c, const ChunkScratch& x, View state) {
  num::matmul_transposed_add(rows_at(x.k_grown, c), rows_at(x.u, c), state);
  x.decays.leave(c, state);
}

// The layout of the states of all heads in one array.
struct StateShape {
  explicit StateShape(const DeltaShape& s)
      : rows(s.key_width),
        cols(s.value_width),
        size(num::padded(s.key_width) * num::padded(s.value_width)) {}

  [[nodiscard]] View of_head(float* first, int head) const {
    return {first + static_cast<std::ptrdiff_t>(head) * size,
            rows,
            cols,
            num::padded(cols)};
  }
  [[nodiscard]] ConstView of_head(const float* first, int head) const {
    return {first + static_cast<std::ptrdiff_t>(head) * size,
            rows,
            cols,
            num::padded(cols)};
  }

  int rows;
  int cols;
  int size;
};

void step_block(const DeltaShape& s,
                const DeltaInput& in,
                const TokenBlock& b,
                View o,
                View state,
                ChunkScratch& x) {
  x.decays.make(part_of(s, in.log_decay, b));
  delta_step({.q = part_of(s, in.q, b).data,
              .k = part_of(s, in.k, b).data,
              .decay = x.decays.first(),
              .v = part_of(s, in.v, b).data,
              .step = *part_of(s, in.step, b).data,
              .state = state,
              .o = part_of(s, o, b).data});
}

void scan_block(const DeltaShape& s,
                const DeltaInput& in,
                const TokenBlock& b,
                View o,
                View state,
                ChunkScratch& x) {
  if (b.count == 1) {
    step_block(s, in, b, o, state, x);
    return;
  }
  pack_block(s, in, b, x);
  for (const DeltaChunk& c : x.decays.chunks()) {
    x.decays.enter(c, state);
    couple(c, x);
    correct(c, state, x);
    score(c, x);
    num::matmul(rows_at(x.q, c), state, rows_at(x.o, c));
    add_lower_product(square_at(x.p, c), rows_at(x.u, c), rows_at(x.o, c));
    remember(c, x, state);
  }
  unpack(x.o.data, x.o.stride, part_of(s, o, b));
}

// The gradients of each head's state, and of the log decays of later tokens.
struct DeltaSlopes {
  DeltaSlopes(const DeltaShape& s, Arena& arena)
      : keys(num::padded(s.key_width)),
        state(zeroed_floats(std::int64_t{s.heads} * StateShape(s).size, arena)),
        decay(zeroed_floats(std::int64_t{s.heads} * keys, arena)) {}

  int keys;
  float* state;
  float* decay;
};

struct ChunkSlopes : ChunkScratch {
  ChunkSlopes(const DeltaShape& s, const DeltaSlopes& slopes, Arena& arena)
      : ChunkScratch(s, arena),
        all(slopes),
        states(zeroed_floats(std::int64_t{kDeltaTokens} * StateShape(s).size, arena)),
        state_transposed(num::zeros(s.value_width, s.key_width, arena)),
        d_o(num::zeros(kDeltaTokens, s.value_width, arena)),
        y(num::zeros(kDeltaTokens, s.value_width, arena)),
        z(num::zeros(kDeltaTokens, s.value_width, arena)),
        dq(num::zeros(kDeltaTokens, s.key_width, arena)),
        dk(num::zeros(kDeltaTokens, s.key_width, arena)),
        dk_grown(num::zeros(kDeltaTokens, s.key_width, arena)),
        d_decay(num::zeros(kDeltaTokens, s.key_width, arena)),
        dm(num::zeros(kDeltaTokens, kDeltaTokens, arena)),
        dp(num::zeros(kDeltaTokens, kDeltaTokens, arena)) {}

  DeltaSlopes all;
  float* states;          // one for each chunk, after the decay of its first token
  View state_transposed;  // transposed state, then its transposed gradient
  View d_o;
  View y;  // gradient of U
  View z;  // gradient of X
  View dq;
  View dk;
  View dk_grown;
  View d_decay;
  View dm;
  View dp;
};

// Computes the gradients of a chunk.  `state` already includes the decay of the chunk's
// first token.  `slope` is the gradient after the chunk, and becomes that of `state`.
void chunk_backward(const DeltaChunk& c, ConstView state, View slope, ChunkSlopes& x) {
  const View q = rows_at(x.q, c);
  const View k = rows_at(x.k, c);
  const View k_grown = rows_at(x.k_grown, c);
  const View d_o = rows_at(x.d_o, c);
  const View y = rows_at(x.y, c);
  const View z = rows_at(x.z, c);
  const View p = square_at(x.p, c);
  const View dp = square_at(x.dp, c);
  const View dm = square_at(x.dm, c);
  x.decays.leave(c, slope);
  keep_lower(1, p);
  num::matmul(k_grown, slope, y);
  num::matmul_transposed_add(p, d_o, y);
  solve_lower_transposed(square_at(x.m, c), rows_at(x.step, c), y, z);

  const View u_transposed = transpose_into(rows_at(x.u, c), x.transposed);
  num::matmul(d_o, u_transposed, dp);
  keep_lower(1, dp);
  num::matmul(z, u_transposed, dm, -1.0F);
  keep_lower(0, dm);

  num::matmul(rows_at(x.u, c),
              transpose_into(slope, x.state_transposed),
              rows_at(x.dk_grown, c));
  num::matmul_transposed_add(dp, q, rows_at(x.dk_grown, c));
  num::matmul_transposed_add(dm, k, rows_at(x.dk_grown, c));

  const View state_transposed = transpose_into(state, x.state_transposed);
  num::matmul(d_o, state_transposed, rows_at(x.dq, c));
  num::matmul_add(dp, k_grown, rows_at(x.dq, c));
  num::matmul(z, state_transposed, rows_at(x.dk, c), -1.0F);
  num::matmul_add(dm, k_grown, rows_at(x.dk, c));

  num::matmul_transposed_add(q, d_o, slope);
  num::matmul_transposed_add(k, z, slope, -1.0F);
}

void keys_backward(const DeltaChunk& c, const float* later, ChunkSlopes& x) {
  key_slopes({.q = x.q.row(c.begin),
              .k = x.k.row(c.begin),
              .k_grown = x.k_grown.row(c.begin),
              .shrink = x.decays.shrink(c.begin),
              .grow = x.decays.grow(c.begin),
              .dq = x.dq.row(c.begin),
              .dk = x.dk.row(c.begin),
              .dk_grown = x.dk_grown.row(c.begin),
              .later = later,
              .d_decay = x.d_decay.row(c.begin)},
             c.end - c.begin,
             x.q.stride);
}

// Sums each row, because one number was copied to all columns.
void unpack_sums(ConstView from, View to) {
  if (to.cols == from.cols) {
    unpack(from.data, from.stride, to);
  } else if (to.cols == 1) {
    row_sums(from.data, from.stride, to);
  }
}

void block_backward(const DeltaShape& s,
                    const DeltaInput& in,
                    const TokenBlock& b,
                    ConstView checkpoint,
                    ConstView d_o,
                    const DeltaGradient& to,
                    ChunkSlopes& x) {
  const View slope = StateShape(s).of_head(x.all.state, b.head);
  float* later = x.all.decay + static_cast<std::ptrdiff_t>(b.head) * x.all.keys;
  pack_block(s, in, b, x);
  pack(part_of(s, d_o, b), 1.0F, x.d_o.data, x.d_o.stride);
  const auto chunks = x.decays.chunks();
  const auto state_of = [&](std::size_t chunk) {
    return StateShape(s).of_head(x.states, static_cast<int>(chunk));
  };
  num::copy(checkpoint, state_of(0));
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    x.decays.enter(chunks[i], state_of(i));
    couple(chunks[i], x);
    correct(chunks[i], state_of(i), x);
    if (i + 1 < chunks.size()) {
      num::copy(state_of(i), state_of(i + 1));
      remember(chunks[i], x, state_of(i + 1));
    }
  }
  for (std::size_t i = chunks.size(); i-- > 0;) {
    const DeltaChunk& c = chunks[i];
    if (i + 1 < chunks.size()) {
      couple(c, x);
    }
    score(c, x);
    chunk_backward(c, state_of(i), slope, x);
    keys_backward(c, later, x);
    // The gradient of the log decay is the sum of S dS.  Sums over all later tokens,
    // instead, would have a rounding error that grows with their number.
    for (int row = 0; in.log_decay.cols > 0 && row < slope.rows; ++row) {
      later[row] = static_cast<float>(
          num::dot(row_block(state_of(i), row, 1), row_block(slope, row, 1)));
    }
    x.decays.enter(c, slope);
  }
  num::multiply(x.x, x.y);
  unpack(x.dq.data, x.dq.stride, part_of(s, to.q, b));
  unpack(x.dk.data, x.dk.stride, part_of(s, to.k, b));
  unpack(x.z.data, x.z.stride, part_of(s, to.v, b));
  row_sums(x.y.data, x.y.stride, part_of(s, to.step, b));
  unpack_sums(x.d_decay, part_of(s, to.log_decay, b));
}

[[maybe_unused]] bool delta_shapes_match(const DeltaShape& s, const DeltaInput& in) {
  const auto fits = [&](ConstView x, int width) {
    return x.cols == s.heads || x.cols == s.heads * width;
  };
  return in.q.cols == s.heads * s.key_width && same_shape(in.q, in.k) &&
         in.v.cols == s.heads * s.value_width && in.step.cols == s.heads &&
         (in.log_decay.cols == 0 || fits(in.log_decay, s.key_width));
}

}  // namespace

int delta_state_size(const DeltaShape& shape) {
  return shape.heads * StateShape(shape).size;
}

int delta_checkpoints(int tokens) {
  return (tokens + kDeltaTokens - 1) / kDeltaTokens;
}

std::size_t delta_scan_bytes(const DeltaShape& shape) {
  return head_groups_bytes<ChunkScratch>(shape.heads, shape.threads, shape);
}

std::size_t delta_scan_backward_bytes(const DeltaShape& shape) {
  return bytes_taken([&](Arena& arena) {
    const DeltaSlopes slopes(shape, arena);
    (void)arena.allocate(
        head_groups_bytes<ChunkSlopes>(shape.heads, shape.threads, shape, slopes));
  });
}

void delta_scan(const DeltaShape& shape,
                const DeltaInput& in,
                View o,
                std::span<float> state,
                View checkpoints,
                Arena& arena) {
  assert(delta_shapes_match(shape, in) && same_shape(in.v, o));
  assert(std::ssize(state) >= delta_state_size(shape));
  assert(checkpoints.rows == 0 || checkpoints.rows == delta_checkpoints(o.rows));
  const StateShape states(shape);
  for_head_groups<ChunkScratch>(
      shape.heads,
      shape.threads,
      arena,
      [&](ChunkScratch& x, int begin, int end) {
        for (int block = 0; block < delta_checkpoints(o.rows); ++block) {
          const int first = block * kDeltaTokens;
          for (int head = begin; head < end; ++head) {
            const View here = states.of_head(state.data(), head);
            if (checkpoints.rows > 0) {
              num::copy(here, states.of_head(checkpoints.row(block), head));
            }
            scan_block(shape,
                       in,
                       {head, first, std::min(kDeltaTokens, o.rows - first)},
                       o,
                       here,
                       x);
          }
        }
      },
      shape);
}

void delta_scan_backward(const DeltaShape& shape,
                         const DeltaInput& in,
                         ConstView checkpoints,
                         ConstView d_o,
                         const DeltaGradient& gradient,
                         Arena& arena) {
  assert(delta_shapes_match(shape, in) && same_shape(in.v, d_o));
  assert(checkpoints.rows == delta_checkpoints(d_o.rows));
  const StateShape states(shape);
  const std::size_t mark = arena.mark();
  const DeltaSlopes slopes(shape, arena);
  for_head_groups<ChunkSlopes>(
      shape.heads,
      shape.threads,
      arena,
      [&](ChunkSlopes& x, int begin, int end) {
        for (int block = delta_checkpoints(d_o.rows); block-- > 0;) {
          const int first = block * kDeltaTokens;
          for (int head = begin; head < end; ++head) {
            block_backward(shape,
                           in,
                           {head, first, std::min(kDeltaTokens, d_o.rows - first)},
                           states.of_head(checkpoints.row(block), head),
                           d_o,
                           gradient,
                           x);
          }
        }
      },
      shape,
      slopes);
  arena.release(mark);
}

}  // namespace oa::attention
