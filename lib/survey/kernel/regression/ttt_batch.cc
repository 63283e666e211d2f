#include "survey/kernel/regression/ttt_batch.h"

#include "oa/num/gemm.h"
#include "oa/num/rows.h"
#include "survey/kernel/regression/conjugate_rows.h"
#include "survey/kernel/scan/packing.h"
#include "survey/kernel/scan/triangle.h"

#include <algorithm>
#include <cmath>

namespace oa::attention {

using num::ConstView;
using num::View;

TttBatch::TttBatch(const TttShape& s, Arena& arena)
    : TokenRows{s.batch, s.width},
      shape(s),
      q(tokens(arena)),
      k(tokens(arena)),
      v(tokens(arena)),
      y(tokens(arena)),
      unit(tokens(arena)),
      error(tokens(arena)),
      bent(tokens(arena)),
      g(tokens(arena)),
      o(tokens(arena)),
      o_unit(tokens(arena)),
      spare(tokens(arena)),
      pairs(num::zeros(s.batch, s.batch, arena)),
      transposed(num::zeros(s.width, s.batch, arena)),
      eta(num::zeros(s.batch, arena)),
      rstd(num::zeros(s.batch, arena)),
      along(num::zeros(s.batch, arena)),
      o_rstd(num::zeros(s.batch, arena)),
      gain(num::zeros(s.width, arena)),
      shift(num::zeros(s.width, arena)) {}

void TttBatch::load(const TttInput& in, const TokenBlock& block) {
  count = block.count;
  const std::ptrdiff_t first = std::ptrdiff_t{block.head} * shape.width;
  pack(part_of(in.q, block), 1.0F, q.data, q.stride);
  pack(part_of(in.k, block), 1.0F, k.data, k.stride);
  pack(part_of(in.v, block), 1.0F, v.data, v.stride);
  for (int i = 0; i < count; ++i) {
    eta[at(i)] = in.eta(block.first + i, block.head);
  }
  std::copy_n(in.gain.data() + first, shape.width, gain.data());
  std::copy_n(in.shift.data() + first, shape.width, shift.data());
}

void TttBatch::fit(ConstView state) {
  num::matmul(rows(k), state, rows(unit));
  num::layer_norm(rows(unit), gain, shift, rows(unit), rstd, rows(error));
  const float share = 1.0F / static_cast<float>(width);
  for (int i = 0; i < count; ++i) {
    const float* u = unit.row(i);
    float* e = error.row(i);
    float* h = bent.row(i);
    for (int c = 0; c < width; ++c) {
      e[c] += k(i, c) - v(i, c);
      h[c] = gain[at(c)] * e[c];
    }
    const float mean = share * row_sum(width, [&](int c) { return h[c]; });
    along[at(i)] = share * row_sum(width, [&](int c) { return h[c] * u[c]; });
    for (int c = 0; c < width; ++c) {
      g(i, c) = rstd[at(i)] * (h[c] - mean - along[at(i)] * u[c]);
    }
  }
}

void TttBatch::pair(ConstView a, ConstView b, View to) const {
  num::transpose(b, first_columns(transposed));
  num::matmul(a, first_columns(transposed), square(to));
  for (int i = 0; i < count; ++i) {
    std::fill(to.row(i) + i + 1, to.row(i) + count, 0.0F);
  }
}

void TttBatch::answer(ConstView state) {
  num::matmul(rows(q), state, rows(o));
  pair(rows(q), rows(k), pairs);
  scale_rows(rows(g), eta, spare);
  num::scale(rows(spare), -1.0F);
  add_lower_product(square(pairs), rows(spare), rows(o));
  finish();
}

void TttBatch::finish() {
  num::layer_norm(rows(o), gain, shift, rows(o_unit), o_rstd, rows(y));
  num::add(rows(q), rows(y));
}

void TttBatch::advance(View state) {
  scale_rows(rows(k), eta, spare);
  num::matmul_transposed_add(rows(spare), rows(g), state, -1.0F);
}

}  // namespace oa::attention
