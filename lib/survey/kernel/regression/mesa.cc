#include "survey/kernel/regression/mesa.h"

#include "survey/kernel/regression/mesa_chunk.h"
#include "survey/kernel/scan/packing.h"

#include <algorithm>
#include <cassert>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct MesaForward : MesaChunk {
  MesaForward(const MesaShape& s, Arena& arena)
      : MesaChunk(s, arena),
        z(tokens(arena)),
        o(tokens(arena)) {}

  void answer(const State* before, const TokenBlock& block, View to_o, View to_z) {
    solve(before, rows(q), rows(z));
    read(before, rows(z), rows(o));
    unpack(z.data, z.stride, part_of(to_z, block));
    unpack(o.data, o.stride, part_of(to_o, block));
  }

  View z;
  View o;
};

int chunks_of(int n) {
  return (n + kScanSteps - 1) / kScanSteps;
}

TokenBlock chunk(int head, int i, int n) {
  return {head, i * kScanSteps, std::min(kScanSteps, n - i * kScanSteps)};
}

/// The FLOPs of a product with all H_t.
std::int64_t product_flops(const MesaShape& shape, int n) {
  const std::int64_t w = shape.width;
  std::int64_t sum = 0;
  for (int i = 0; i < chunks_of(n); ++i) {
    const std::int64_t c = chunk(0, i, n).count;
    sum += shape.causal ? 4 * c * c * w + (i > 0 ? 2 * c * w * w : 0) : 2 * c * w * w;
  }
  return shape.heads * sum;
}

/// The FLOPs of updating H and S.  A causal layer needs no update after its last chunk.
std::int64_t state_flops(const MesaShape& shape, int n) {
  const int used = shape.causal ? (chunks_of(n) - 1) * kScanSteps : n;
  return std::int64_t{4} * shape.heads * used * shape.width * shape.width;
}

void causal_head(const MesaInput& in,
                 View o,
                 View z,
                 std::span<float> states,
                 MesaForward& x,
                 int head) {
  const int chunks = chunks_of(o.rows);
  const std::int64_t slots = std::ssize(states) / mesa_state_size(x.shape);
  // Returns the state after chunk i.
  const auto after = [&](int i) {
    return mesa_state(x.shape, states, std::min<std::int64_t>(i, slots - 1), head);
  };
  for (int i = 0; i < chunks; ++i) {
    const TokenBlock block = chunk(head, i, o.rows);
    x.load(in, block);
    MesaChunk::State before;
    if (i > 0) {
      const auto last = after(i - 1);
      before = {last.h, last.s};
    }
    x.answer(i > 0 ? &before : nullptr, block, o, z);
    if (i + 1 < chunks) {
      x.advance(i > 0 ? &before : nullptr, after(i));
    }
  }
}

void whole_head(const MesaInput& in,
                View o,
                View z,
                std::span<float> states,
                MesaForward& x,
                int head) {
  const auto all = mesa_state(x.shape, states, 0, head);
  const MesaChunk::State state{all.h, all.s};
  for (int i = 0; i < chunks_of(o.rows); ++i) {
    x.load(in, chunk(head, i, o.rows));
    x.advance(i > 0 ? &state : nullptr, all);
  }
  for (int i = 0; i < chunks_of(o.rows); ++i) {
    const TokenBlock block = chunk(head, i, o.rows);
    x.load(in, block);
    x.answer(&state, block, o, z);
  }
}

}  // namespace

std::int64_t mesa_state_size(const MesaShape& shape) {
  return std::int64_t{2} * shape.heads * shape.width * num::padded(shape.width);
}

int mesa_states(const MesaShape& shape, int n) {
  return shape.causal ? std::max(chunks_of(n) - 1, 1) : 1;
}

std::int64_t mesa_flops(const MesaShape& shape, int n) {
  return (shape.steps + 1) * product_flops(shape, n) + state_flops(shape, n);
}

std::int64_t mesa_backward_flops(const MesaShape& shape, int n) {
  const std::int64_t w = shape.width;
  std::int64_t near = 0;
  for (int i = 0; shape.causal && i < chunks_of(n); ++i) {
    const std::int64_t c = chunk(0, i, n).count;
    near += 10 * c * c * w;
  }
  const int products = shape.steps + (shape.causal ? 2 : 1);
  return products * product_flops(shape, n) + shape.heads * near +
         3 * state_flops(shape, n);
}

std::size_t mesa_bytes(const MesaShape& shape) {
  return head_groups_bytes<MesaForward>(shape.heads, shape.threads, shape);
}

void mesa_forward(const MesaShape& shape,
                  const MesaInput& in,
                  View o,
                  View z,
                  std::span<float> states,
                  Arena& arena) {
  assert(same_shape(in.q, in.k) && same_shape(in.q, in.v) && same_shape(in.v, o));
  for_each_head<MesaForward>(
      shape.heads,
      shape.threads,
      arena,
      [&](MesaForward& x, int head) {
        if (shape.causal) {
          causal_head(in, o, z, states, x, head);
        } else {
          whole_head(in, o, z, states, x, head);
        }
      },
      shape);
}

void mesa_step(const MesaShape& shape,
               const MesaInput& in,
               View o,
               std::span<float> state,
               Arena& arena) {
  assert(shape.causal && o.rows == 1);
  for_each_head<MesaForward>(
      shape.heads,
      shape.threads,
      arena,
      [&](MesaForward& x, int head) {
        const auto all = mesa_state(shape, state, 0, head);
        const MesaChunk::State before{all.h, all.s};
        x.load(in, chunk(head, 0, 1));
        x.answer(&before, chunk(head, 0, 1), o, o);
        x.advance(&before, all);
      },
      shape);
}

}  // namespace oa::attention
