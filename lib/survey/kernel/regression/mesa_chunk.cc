#include "survey/kernel/regression/mesa_chunk.h"

#include "oa/num/activation.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"
#include "survey/kernel/scan/packing.h"
#include "survey/kernel/scan/triangle.h"

#include <algorithm>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

// Clears the padding, too: conjugate gradients read whole vectors.
void clear(View x) {
  for (int i = 0; i < x.rows; ++i) {
    std::fill_n(x.row(i), x.stride, 0.0F);
  }
}

}  // namespace

MesaChunk::MesaChunk(const MesaShape& s, Arena& arena)
    : TokenRows{kScanSteps, s.width},
      shape(s),
      q(tokens(arena)),
      k(tokens(arena)),
      v(tokens(arena)),
      kb(tokens(arena)),
      vb(tokens(arena)),
      k_transposed(num::zeros(s.width, kScanSteps, arena)),
      decay(num::zeros(kScanSteps, kScanSteps, arena)),
      ridge(num::zeros(s.width, arena)),
      residual_(tokens(arena)),
      direction_(tokens(arena)),
      product_(tokens(arena)),
      carried_(tokens(arena)),
      pairs_(num::zeros(kScanSteps, kScanSteps, arena)) {}

void MesaChunk::load(const MesaInput& in, const TokenBlock& block) {
  count = block.count;
  pack(part_of(in.q, block), 1.0F, q.data, q.stride);
  pack(part_of(in.k, block), 1.0F, k.data, k.stride);
  pack(part_of(in.v, block), 1.0F, v.data, v.stride);
  std::copy_n(in.ridge.data() + std::ptrdiff_t{block.head} * shape.width,
              shape.width,
              ridge.data());
  set_decays(in, block);
  scale_rows(rows(k), b, kb);
  scale_rows(rows(v), b, vb);
  num::transpose(rows(k), first_columns(k_transposed));
}

void MesaChunk::set_decays(const MesaInput& in, const TokenBlock& block) {
  float product = 1.0F;
  for (int i = 0; i < count; ++i) {
    const int token = block.first + i;
    const float gate = shape.causal ? in.gate(token, block.head) : 1.0F;
    b[at(i)] = in.b(token, block.head);
    product *= gate;
    since[at(i)] = product;
    for (int j = 0; j < i; ++j) {
      decay(i, j) = decay(i - 1, j) * gate;
    }
    decay(i, i) = 1.0F;
  }
  for (int j = 0; j < count; ++j) {
    until[at(j)] = shape.causal ? decay(count - 1, j) : 1.0F;
  }
}

void MesaChunk::pair(ConstView a, ConstView transposed, View pairs) const {
  num::matmul(a, transposed, pairs);
  num::multiply({decay.data, count, count, decay.stride}, pairs);
}

void MesaChunk::apply(ConstView before, ConstView x, ConstView inputs, View to) {
  clear(to);
  if (shape.causal) {
    pair(x, first_columns(k_transposed), square(pairs_));
    add_lower_product(square(pairs_), inputs, to);
  }
  if (before.data != nullptr) {
    num::matmul(x, before, rows(carried_));
    add_scaled_rows(rows(carried_), since, to);
  }
}

void MesaChunk::multiply(const State* before, ConstView x, View to) {
  apply(before == nullptr ? ConstView() : before->h, x, rows(kb), to);
}

void MesaChunk::read(const State* before, ConstView x, View to) {
  apply(before == nullptr ? ConstView() : before->s, x, rows(vb), to);
}

void MesaChunk::solve(const State* before, ConstView y, View x) {
  const ConjugateRows systems{x, rows(residual_), rows(direction_), squares_, limits_};
  bool go_on = conjugate_start(y, systems);
  for (int step = 0; go_on && step < shape.steps; ++step) {
    multiply(before, systems.direction, rows(product_));
    add_diagonal(systems.direction, ridge, rows(product_));
    go_on = conjugate_step(rows(product_), systems);
  }
}

void MesaChunk::advance(const State* before, const MesaState<View>& to) {
  const float left = shape.causal ? since[at(count - 1)] : 1.0F;
  for (const auto& [from, target] :
       {std::pair(before == nullptr ? ConstView() : before->h, to.h),
        std::pair(before == nullptr ? ConstView() : before->s, to.s)}) {
    if (before == nullptr) {
      num::fill(target, 0.0F);
      continue;
    }
    if (from.data != target.data) {
      num::copy(from, target);
    }
    if (left != 1.0F) {
      num::scale(target, left);
    }
  }
  scale_rows(rows(kb), until, rows(carried_));
  num::matmul_transposed_add(rows(carried_), rows(k), to.h);
  num::matmul_transposed_add(rows(carried_), rows(v), to.s);
}

}  // namespace oa::attention
