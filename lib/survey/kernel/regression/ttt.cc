#include "survey/kernel/regression/ttt.h"

#include "oa/num/gemm.h"
#include "oa/num/rows.h"
#include "survey/kernel/regression/ttt_batch.h"
#include "survey/kernel/scan/packing.h"

#include <algorithm>
#include <cassert>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

void store_answer(const TttBatch& x, const TokenBlock& block, View y) {
  unpack(x.y.data, x.y.stride, x.part_of(y, block));
}

/// Returns the sum of each(c) over all batches, of c tokens each.
template <class Each>
std::int64_t sum_of_batches(const TttShape& shape, int n, const Each& each) {
  std::int64_t sum = 0;
  for (int i = 0; i < ttt_batches(shape, n); ++i) {
    sum += each(std::int64_t{ttt_batch(shape, 0, i, n).count});
  }
  return shape.heads * sum;
}

}  // namespace

std::int64_t ttt_state_size(const TttShape& shape) {
  return std::int64_t{shape.heads} * shape.width * num::padded(shape.width);
}

int ttt_states(const TttShape& shape, int n) {
  return std::max(ttt_batches(shape, n) - 1, 1);
}

std::int64_t ttt_flops(const TttShape& shape, int n) {
  const std::int64_t w = shape.width;
  const std::int64_t used =
      std::int64_t{std::max(ttt_batches(shape, n) - 1, 0)} * shape.batch;
  return sum_of_batches(
             shape, n, [&](std::int64_t c) { return 4 * c * w * w + 4 * c * c * w; }) +
         shape.heads * 2 * used * w * w;
}

std::int64_t ttt_backward_flops(const TttShape& shape, int n) {
  const std::int64_t w = shape.width;
  return sum_of_batches(
      shape, n, [&](std::int64_t c) { return 16 * c * w * w + 12 * c * c * w; });
}

std::size_t ttt_bytes(const TttShape& shape) {
  return head_groups_bytes<TttBatch>(shape.heads, shape.threads, shape);
}

void ttt_forward(const TttShape& shape,
                 const TttInput& in,
                 View y,
                 std::span<float> states,
                 Arena& arena) {
  assert(same_shape(in.q, in.k) && same_shape(in.q, in.v) && same_shape(in.v, y));
  const int batches = ttt_batches(shape, y.rows);
  const std::int64_t slots = std::ssize(states) / ttt_state_size(shape);
  for_each_head<TttBatch>(
      shape.heads,
      shape.threads,
      arena,
      [&](TttBatch& x, int head) {
        ConstView state = ttt_start(shape, in.start, head);
        for (int i = 0; i < batches; ++i) {
          const TokenBlock block = ttt_batch(shape, head, i, y.rows);
          x.load(in, block);
          x.fit(state);
          x.answer(state);
          store_answer(x, block, y);
          if (i + 1 < batches) {
            const View next =
                ttt_state(shape, states, std::min<std::int64_t>(i, slots - 1), head);
            if (next.data != state.data) {
              num::copy(state, next);
            }
            x.advance(next);
            state = next;
          }
        }
      },
      shape);
}

void ttt_step(const TttShape& shape,
              const TttInput& in,
              int token,
              View y,
              std::span<float> states,
              Arena& arena) {
  for_each_head<TttBatch>(
      shape.heads,
      shape.threads,
      arena,
      [&](TttBatch& x, int head) {
        const View found = ttt_state(shape, states, 0, head);  // by the batch
        const View now = ttt_state(shape, states, 1, head);
        if (token == 0) {
          num::copy(ttt_start(shape, in.start, head), now);
        }
        if (token % shape.batch == 0) {
          num::copy(now, found);
        }
        const TokenBlock block{head, 0, 1};
        x.load(in, block);
        x.fit(found);
        x.advance(now);
        num::matmul(x.rows(x.q), now, x.rows(x.o));
        x.finish();
        store_answer(x, block, y);
      },
      shape);
}

}  // namespace oa::attention
