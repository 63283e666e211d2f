#include "oa/num/gemm.h"
#include "oa/num/rows.h"
#include "survey/kernel/regression/mesa.h"
#include "survey/kernel/regression/mesa_chunk.h"
#include "survey/kernel/scan/packing.h"

#include <algorithm>
#include <cassert>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

/// A chunk with gradients (letters as in mesa.h), and the gradients of a head's states.
struct MesaBackwardChunk : MesaChunk {
  MesaBackwardChunk(const MesaShape& s, Arena& arena)
      : MesaChunk(s, arena),
        z(tokens(arena)),
        d_o(tokens(arena)),
        u(tokens(arena)),
        w(tokens(arena)),
        hz(tokens(arena)),
        by_value(tokens(arena)),
        by_key(tokens(arena)),
        dv(tokens(arena)),
        spare(tokens(arena)),
        v_transposed(num::zeros(s.width, kScanSteps, arena)),
        ov(num::zeros(kScanSteps, kScanSteps, arena)),
        zk(num::zeros(kScanSteps, kScanSteps, arena)),
        wk(num::zeros(kScanSteps, kScanSteps, arena)),
        transposed(num::zeros(s.width, s.width, arena)),
        ds(num::zeros(s.width, s.width, arena)),
        dh(num::zeros(s.width, s.width, arena)) {}

  void load_all(const MesaInput& in,
                ConstView all_z,
                ConstView all_d_o,
                const TokenBlock& block);
  void queries(const State* before);
  void keys();
  void carry();
  void store(const TokenBlock& block, const MesaGradient& to) const;

  View z, d_o;
  View u;         // S_i do_i
  View w;         // (H_i + L)^-1 u_i
  View hz;        // H_i z_i
  View by_value;  // dS_j v_j; then the gradient of a key
  View by_key;    // (dH_j + dH_j') k_j
  View dv;
  View spare;
  View v_transposed;
  View ov, zk, wk;  // pairs o N
  View transposed;
  View ds;  // the gradient of S after the chunk
  View dh;  // the gradient of H after the chunk plus its transpose
  std::array<float, kScanSteps> db{};
  std::array<float, kScanSteps> by_read{};  // z_i u_i - w_i H_i z_i
  double log_gate = 0.0;                    // the sum over all later tokens
};

void MesaBackwardChunk::load_all(const MesaInput& in,
                                 ConstView all_z,
                                 ConstView all_d_o,
                                 const TokenBlock& block) {
  load(in, block);
  pack(part_of(all_z, block), 1.0F, z.data, z.stride);
  pack(part_of(all_d_o, block), 1.0F, d_o.data, d_o.stride);
  num::transpose(rows(v), first_columns(v_transposed));
}

/// Computes w and, in causal layers, the products of pairs.
void MesaBackwardChunk::queries(const State* before) {
  num::fill(rows(u), 0.0F);
  if (shape.causal) {
    pair(rows(d_o), first_columns(v_transposed), square(ov));
    num::matmul(square(ov), rows(kb), rows(u));
  }
  if (before != nullptr) {
    num::transpose(before->s, transposed);
    num::matmul(rows(d_o), transposed, rows(spare));
    add_scaled_rows(rows(spare), since, rows(u));
  }
  solve(before, rows(u), rows(w));
  if (!shape.causal) {
    return;
  }
  multiply(before, rows(z), rows(hz));
  std::array<float, kScanSteps> less{};
  row_products(rows(z), rows(u), by_read);
  row_products(rows(w), rows(hz), less);
  for (int i = 0; i < count; ++i) {
    by_read[at(i)] -= less[at(i)];
  }
  pair(rows(z), first_columns(k_transposed), square(zk));
  pair(rows(w), first_columns(k_transposed), square(wk));
}

/// Computes the gradients of k, v and b from those of the states after the chunk.
void MesaBackwardChunk::keys() {
  num::transpose(ds, transposed);
  num::matmul(rows(v), transposed, rows(spare));
  scale_rows(rows(spare), until, by_value);
  num::matmul(rows(k), ds, rows(spare));
  scale_rows(rows(spare), until, dv);
  num::matmul(rows(k), dh, rows(spare));
  scale_rows(rows(spare), until, by_key);
  if (shape.causal) {
    num::matmul_transposed_add(square(ov), rows(z), rows(by_value));
    num::matmul_transposed_add(square(zk), rows(d_o), rows(dv));
    num::matmul_transposed_add(square(zk), rows(w), rows(by_key), -1.0F);
    num::matmul_transposed_add(square(wk), rows(z), rows(by_key), -1.0F);
  }
  std::array<float, kScanSteps> half{};
  row_products(rows(k), rows(by_value), db);
  row_products(rows(k), rows(by_key), half);
  for (int j = 0; j < count; ++j) {
    db[at(j)] += 0.5F * half[at(j)];
  }
  num::add(rows(by_key), rows(by_value));
  scale_rows(rows(by_value), b, by_value);
  scale_rows(rows(dv), b, dv);
}

/// Computes the gradients of the states before the chunk.
void MesaBackwardChunk::carry() {
  if (shape.causal) {
    num::scale(ds, since[at(count - 1)]);
    num::scale(dh, since[at(count - 1)]);
    scale_rows(rows(z), since, z);
  }
  num::matmul_transposed_add(rows(z), rows(d_o), ds);
  num::matmul_transposed_add(rows(z), rows(w), dh, -1.0F);
  num::matmul_transposed_add(rows(w), rows(z), dh, -1.0F);
}

void MesaBackwardChunk::store(const TokenBlock& block, const MesaGradient& to) const {
  unpack(by_value.data, by_value.stride, part_of(to.k, block));
  unpack(dv.data, dv.stride, part_of(to.v, block));
  for (int j = 0; j < count; ++j) {
    to.b(block.first + j, block.head) = db[at(j)];
  }
}

/// Stores dq, and adds the gradient of the ridge.
void store_queries(const MesaBackwardChunk& x,
                   const TokenBlock& block,
                   const MesaGradient& to) {
  const int first = block.head * x.shape.width;
  unpack(x.w.data, x.w.stride, x.part_of(to.q, block));
  for (int i = 0; i < x.count; ++i) {
    for (int c = 0; c < x.shape.width; ++c) {
      to.ridge[at(first + c)] -= x.w(i, c) * x.z(i, c);
    }
  }
}

/// The gradient of log g_t is the sum over tokens i >= t of by_read_i - b_i db_i.
void store_gates(MesaBackwardChunk& x,
                 const TokenBlock& block,
                 const MesaGradient& to) {
  for (int i = x.count - 1; i >= 0; --i) {
    x.log_gate += static_cast<double>(x.by_read[at(i)]) -
                  static_cast<double>(x.b[at(i)]) * static_cast<double>(x.db[at(i)]);
    to.log_gate(block.first + i, block.head) = static_cast<float>(x.log_gate);
  }
}

struct Passes {
  const MesaShape& shape;
  const MesaInput& in;
  ConstView z;
  std::span<const float> states;
  ConstView d_o;
  const MesaGradient& to;

  [[nodiscard]] int chunks() const { return (d_o.rows + kScanSteps - 1) / kScanSteps; }

  TokenBlock load(MesaBackwardChunk& x, int head, int i) const {
    const int first = i * kScanSteps;
    const TokenBlock block{head, first, std::min(kScanSteps, d_o.rows - first)};
    x.load_all(in, z, d_o, block);
    return block;
  }

  void causal(MesaBackwardChunk& x, int head) const {
    x.log_gate = 0.0;
    for (int i = chunks() - 1; i >= 0; --i) {
      const TokenBlock block = load(x, head, i);
      MesaChunk::State before;
      if (i > 0) {
        before = mesa_state(shape, states, i - 1, head);
      }
      x.queries(i > 0 ? &before : nullptr);
      store_queries(x, block, to);
      x.keys();
      x.store(block, to);
      store_gates(x, block, to);
      x.carry();
    }
  }

  void whole(MesaBackwardChunk& x, int head) const {
    const MesaChunk::State state = mesa_state(shape, states, 0, head);
    for (int i = 0; i < chunks(); ++i) {
      const TokenBlock block = load(x, head, i);
      x.queries(&state);
      store_queries(x, block, to);
      x.carry();
    }
    for (int i = 0; i < chunks(); ++i) {
      const TokenBlock block = load(x, head, i);
      x.keys();
      x.store(block, to);
    }
  }
};

}  // namespace

std::size_t mesa_backward_bytes(const MesaShape& shape) {
  return head_groups_bytes<MesaBackwardChunk>(shape.heads, shape.threads, shape);
}

void mesa_backward(const MesaShape& shape,
                   const MesaInput& in,
                   ConstView z,
                   std::span<const float> states,
                   ConstView d_o,
                   const MesaGradient& gradient,
                   Arena& arena) {
  assert(same_shape(in.v, d_o) && same_shape(in.q, gradient.q));
  const Passes passes{shape, in, z, states, d_o, gradient};
  for_each_head<MesaBackwardChunk>(
      shape.heads,
      shape.threads,
      arena,
      [&](MesaBackwardChunk& x, int head) {
        num::fill(x.ds, 0.0F);
        num::fill(x.dh, 0.0F);
        if (shape.causal) {
          passes.causal(x, head);
        } else {
          passes.whole(x, head);
        }
      },
      shape);
}

}  // namespace oa::attention
