#include "oa/num/gemm.h"
#include "oa/num/rows.h"
#include "survey/kernel/regression/conjugate_rows.h"
#include "survey/kernel/regression/ttt.h"
#include "survey/kernel/regression/ttt_batch.h"
#include "survey/kernel/scan/packing.h"

#include <algorithm>
#include <cassert>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

/// A batch with gradients (letters as in ttt.h), and the gradient of a head's state.
struct TttBackwardBatch : TttBatch {
  TttBackwardBatch(const TttShape& s, Arena& arena)
      : TttBatch(s, arena),
        d_y(tokens(arena)),
        d_o(tokens(arena)),
        dg(tokens(arena)),
        du(tokens(arena)),
        dq(tokens(arena)),
        dk(tokens(arena)),
        dv(tokens(arena)),
        og(num::zeros(s.batch, s.batch, arena)),
        state_transposed(num::zeros(s.width, s.width, arena)),
        ds(num::zeros(s.width, s.width, arena)),
        d_eta(num::zeros(s.batch, arena)),
        d_gain(num::zeros(s.width, arena)),
        d_shift(num::zeros(s.width, arena)) {}

  void load_all(const TttInput& in, ConstView all_dy, const TokenBlock& block);
  void step_gradients();
  void fit_gradients();
  void token_gradients(ConstView state);
  void store(const TokenBlock& block, const TttGradient& to) const;

  View d_y, d_o, dg;
  View du;  // of S'k
  View dq, dk, dv;
  View og;  // d_o_i G_j for j <= i
  View state_transposed;
  View ds;  // of the state after the batch
  std::span<float> d_eta;
  std::span<float> d_gain;
  std::span<float> d_shift;
};

void TttBackwardBatch::load_all(const TttInput& in,
                                ConstView all_dy,
                                const TokenBlock& block) {
  load(in, block);
  pack(part_of(all_dy, block), 1.0F, d_y.data, d_y.stride);
}

/// Computes d_o, dg and d_eta, after fit() and answer().
void TttBackwardBatch::step_gradients() {
  num::layer_norm_backward(
      rows(d_y), rows(o_unit), o_rstd, gain, rows(d_o), d_gain, d_shift);
  num::matmul(rows(k), ds, rows(dg));
  num::matmul_transposed_add(square(pairs), rows(d_o), rows(dg));
  row_products(rows(dg), rows(g), d_eta);
  for (int j = 0; j < count; ++j) {
    d_eta[at(j)] = -d_eta[at(j)];
    for (int c = 0; c < shape.width; ++c) {
      dg(j, c) *= -eta[at(j)];
    }
  }
}

/// Computes du and dv, and adds to the gradients of gain and shift.  Differentiates
///   G = rstd (h - mean(h) - unit mean(h * unit)), h = gain * error, * elementwise.
void TttBackwardBatch::fit_gradients() {
  const float share = 1.0F / static_cast<float>(width);
  for (int i = 0; i < count; ++i) {
    const float* a = dg.row(i);
    const float* u = unit.row(i);
    const float* e = error.row(i);
    const float* h = bent.row(i);
    float* to = du.row(i);
    const float r = rstd[at(i)];
    const float mean = share * row_sum(width, [&](int c) { return a[c]; });
    const float turn = share * row_sum(width, [&](int c) { return a[c] * u[c]; });
    const float size = share * row_sum(width, [&](int c) { return a[c] * g(i, c); });
    for (int c = 0; c < width; ++c) {
      const float dh = r * (a[c] - mean - turn * u[c]);
      const float de = gain[at(c)] * dh;
      d_gain[at(c)] += dh * e[c] + de * u[c];
      d_shift[at(c)] += de;
      dv(i, c) = -de;
      to[c] = gain[at(c)] * de - r * (along[at(i)] * a[c] + turn * h[c]);
    }
    const float centre = share * row_sum(width, [&](int c) { return to[c]; });
    const float bend = share * row_sum(width, [&](int c) { return to[c] * u[c]; });
    for (int c = 0; c < width; ++c) {
      to[c] = r * (to[c] - centre - (bend + size) * u[c]);
    }
  }
}

/// Computes dq, dk, and the gradient of the state before the batch.
void TttBackwardBatch::token_gradients(ConstView state) {
  pair(rows(d_o), rows(g), og);
  num::transpose(state, state_transposed);
  num::matmul(rows(d_o), state_transposed, rows(dq));
  scale_rows(rows(k), eta, spare);
  num::matmul_add(square(og), rows(spare), rows(dq), -1.0F);
  num::add(rows(d_y), rows(dq));

  num::matmul(rows(du), state_transposed, rows(dk));
  num::add_scaled(rows(dv), -1.0F, rows(dk));
  num::transpose(ds, state_transposed);
  num::matmul(rows(g), state_transposed, rows(spare));
  num::matmul_transposed_add(square(og), rows(q), rows(spare));
  for (int j = 0; j < count; ++j) {
    for (int c = 0; c < shape.width; ++c) {
      dk(j, c) -= eta[at(j)] * spare(j, c);
    }
  }
  num::matmul_transposed_add(rows(q), rows(d_o), ds);
  num::matmul_transposed_add(rows(k), rows(du), ds);
}

void TttBackwardBatch::store(const TokenBlock& block, const TttGradient& to) const {
  unpack(dq.data, dq.stride, part_of(to.q, block));
  unpack(dk.data, dk.stride, part_of(to.k, block));
  unpack(dv.data, dv.stride, part_of(to.v, block));
  for (int j = 0; j < count; ++j) {
    to.eta(block.first + j, block.head) = d_eta[at(j)];
  }
}

}  // namespace

std::size_t ttt_backward_bytes(const TttShape& shape) {
  return head_groups_bytes<TttBackwardBatch>(shape.heads, shape.threads, shape);
}

void ttt_backward(const TttShape& shape,
                  const TttInput& in,
                  std::span<const float> states,
                  ConstView dy,
                  const TttGradient& gradient,
                  Arena& arena) {
  assert(same_shape(in.v, dy) && same_shape(in.q, gradient.q));
  for_each_head<TttBackwardBatch>(
      shape.heads,
      shape.threads,
      arena,
      [&](TttBackwardBatch& x, int head) {
        num::fill(x.ds, 0.0F);
        std::ranges::fill(x.d_gain, 0.0F);
        std::ranges::fill(x.d_shift, 0.0F);
        for (int i = ttt_batches(shape, dy.rows) - 1; i >= 0; --i) {
          const ConstView state = i == 0 ? ttt_start(shape, in.start, head)
                                         : ttt_state(shape, states, i - 1, head);
          const TokenBlock block = ttt_batch(shape, head, i, dy.rows);
          x.load_all(in, dy, block);
          x.fit(state);
          x.answer(state);
          x.step_gradients();
          x.fit_gradients();
          x.token_gradients(state);
          x.store(block, gradient);
        }
        num::add(x.ds, ttt_start(shape, gradient.start, head));
        for (int c = 0; c < shape.width; ++c) {
          gradient.gain[at(head * shape.width + c)] += x.d_gain[at(c)];
          gradient.shift[at(head * shape.width + c)] += x.d_shift[at(c)];
        }
      },
      shape);
}

}  // namespace oa::attention
