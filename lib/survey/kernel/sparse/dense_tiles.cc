#include "survey/kernel/sparse/dense_tiles.h"

#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

// clang-format off: it belongs behind the choice of the instruction set
#include "oa/attention/kernel/exponent-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

using Floats = hn::CappedTag<float, num::kLane>;
using Vector = hn::Vec<Floats>;

HWY_INLINE hn::Mask<Floats> within(int j, int count) {
  const Floats f;
  return hn::FirstN(f, std::min(hn::Lanes(f), static_cast<size_t>(count - j)));
}

HWY_ATTR float mean(const float* logits, const float* d_weights, int count, float by) {
  const Floats f;
  auto sum = hn::Zero(f);
  for (int j = 0; j < count; j += static_cast<int>(hn::Lanes(f))) {
    const auto some = within(j, count);
    const auto s = hn::Sub(hn::MaskedLoad(some, f, logits + j), hn::Set(f, by));
    const auto p = hn::IfThenElseZero(some, exp_of(f, s));
    sum = hn::MulAdd(p, hn::MaskedLoad(some, f, d_weights + j), sum);
  }
  return hn::GetLane(hn::SumOfLanes(f, sum));
}

HWY_ATTR void row_gradient(const TileRow& row) {
  const Floats f;
  const auto count = static_cast<int>(row.logits.size());
  const auto most = hn::Set(f, 20.0F);
  const auto by = hn::Set(f, row.log_sum);
  const auto middle = hn::Set(f, row.mean);
  const auto scale = hn::Set(f, row.scale);
  for (int j = 0; j < count; j += static_cast<int>(hn::Lanes(f))) {
    const auto some = within(j, count);
    const auto load = [&](std::span<const float> x)
                          HWY_ATTR { return hn::MaskedLoad(some, f, x.data() + j); };
    const auto store = [&](Vector x, std::span<float> to)
                           HWY_ATTR { hn::BlendedStore(x, some, f, to.data() + j); };
    auto s = hn::Sub(load(row.logits), by);
    s = hn::IfThenElse(hn::Gt(s, most), most, s);  // keeps NaN
    const auto e = exp_of(f, s);
    const auto w = hn::Mul(e, hn::Sub(load(row.d_weights), middle));
    // Selects instead of multiplying: keys that are not kept may have any value.
    const auto kept = hn::Gt(load(row.keep), hn::Zero(f));
    store(hn::IfThenElseZero(kept, e), row.logits);
    store(hn::IfThenElseZero(kept, hn::Mul(scale, w)), row.d_weights);
    store(hn::Add(load(row.gates), w), row.gates);
  }
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(mean);
HWY_EXPORT(row_gradient);

constexpr int kRows = 32;   // queries of a tile
constexpr int kKeys = 256;  // keys of a tile

void add_to(num::ConstView from, num::View to) {
  for (int i = 0; i < from.rows; ++i) {
    for (int j = 0; j < from.cols; ++j) {
      to(i, j) += from(i, j);
    }
  }
}

num::View part(num::View x, int rows, int cols) {
  return {x.data, rows, cols, x.stride};
}

void load_keys(num::ConstView k, num::ConstView v, const TileScratch& s) {
  num::transpose(k, part(s.k_transposed, k.cols, k.rows));
  num::transpose(v, part(s.v_transposed, k.cols, k.rows));
  copy_rows(k, s.k.top(k.rows));
}

// Computes the tile of these queries and the loaded keys.
Tile computed_tile(
    num::ConstView q, num::ConstView d_o, int keys, float scale, const TileScratch& s) {
  Tile tile;
  tile.logits = part(s.logits, q.rows, keys);
  tile.d_weights = part(s.d_weights, q.rows, keys);
  num::matmul(q, part(s.k_transposed, q.cols, keys), tile.logits, scale);
  num::matmul(d_o, part(s.v_transposed, q.cols, keys), tile.d_weights);
  return tile;
}

// Calls on_tile(tile, q, d_o) for all tiles of a group, and on_keys_done(first, count)
// after the last tile with these keys.
template <class OnTile, class OnKeysDone>
void walk(const HeadsView& x,
          int group,
          bool causal,
          num::ConstView d_o,
          const TileScratch& scratch,
          OnTile on_tile,
          OnKeysDone on_keys_done) {
  const int d = x.width();
  const auto k = columns(x.k, group * d, d);
  const auto v = columns(x.v, group * d, d);
  const int first_head = group * x.heads_per_group();
  for (int key = 0; key < x.k.rows; key += kKeys) {
    const int keys = std::min(kKeys, x.k.rows - key);
    load_keys(row_block(k, key, keys), row_block(v, key, keys), scratch);
    for (int h = first_head; h < first_head + x.heads_per_group(); ++h) {
      for (int i = causal ? key / kRows * kRows : 0; i < x.q.rows; i += kRows) {
        const int rows = std::min(kRows, x.q.rows - i);
        const auto q = row_block(columns(x.q, h * d, d), i, rows);
        const auto d_out = row_block(columns(d_o, h * d, d), i, rows);
        Tile tile = computed_tile(q, d_out, keys, x.scale, scratch);
        tile.head = h;
        tile.first_query = i;
        tile.first_key = key;
        on_tile(tile, q, d_out);
      }
    }
    on_keys_done(key, keys);
  }
}

}  // namespace

TileScratch tile_scratch(const HeadsView& x, Arena& arena) {
  const int d = x.width();
  TileScratch s;
  for (num::View* of_keys : {&s.k_transposed, &s.v_transposed}) {
    *of_keys = num::zeros(d, kKeys, arena);
  }
  for (num::View* of_keys : {&s.k, &s.dk, &s.dv}) {
    *of_keys = num::zeros(kKeys, d, arena);
  }
  for (num::View* of_queries : {&s.q, &s.d_o, &s.dq}) {
    *of_queries = num::zeros(kRows, d, arena);
  }
  s.logits = num::zeros(kRows, kKeys, arena);
  s.d_weights = num::zeros(kRows, kKeys, arena);
  return s;
}

void visit_tiles(const HeadsView& x,
                 int group,
                 bool causal,
                 num::ConstView d_o,
                 const TileScratch& scratch,
                 const VisitTile& visit) {
  const auto only_visit = [&](const Tile& tile, num::ConstView, num::ConstView) {
    visit(tile);
  };
  walk(x, group, causal, d_o, scratch, only_visit, [](int, int) {});
}

void backward_by_tiles(const HeadsView& x,
                       int group,
                       bool causal,
                       num::ConstView d_o,
                       const HeadsGradient& gradient,
                       const TileScratch& s,
                       const VisitTile& visit) {
  const int d = x.width();
  num::fill(
      columns(gradient.q, group * x.heads_per_group() * d, x.heads_per_group() * d),
      0.0F);
  num::fill(s.dk, 0.0F);
  num::fill(s.dv, 0.0F);
  const auto on_tile = [&](const Tile& tile, num::ConstView q, num::ConstView d_out) {
    visit(tile);
    const int keys = tile.logits.cols;
    // Products read right factors in whole vectors, so copies are padded with zeros.
    copy_rows(q, s.q.top(q.rows));
    copy_rows(d_out, s.d_o.top(q.rows));
    num::matmul(tile.d_weights, part(s.k, keys, d), part(s.dq, q.rows, d));
    add_to(part(s.dq, q.rows, d),
           row_block(columns(gradient.q, tile.head * d, d), tile.first_query, q.rows));
    num::matmul_transposed_add(
        tile.d_weights, part(s.q, q.rows, d), part(s.dk, keys, d));
    num::matmul_transposed_add(
        tile.logits, part(s.d_o, q.rows, d), part(s.dv, keys, d));
  };
  const auto on_keys_done = [&](int first, int keys) {
    const auto store = [&](num::View from, num::View to) {
      copy_rows(part(from, keys, d), row_block(columns(to, group * d, d), first, keys));
      num::fill(from, 0.0F);
    };
    store(s.dk, gradient.k);
    store(s.dv, gradient.v);
  };
  walk(x, group, causal, d_o, s, on_tile, on_keys_done);
}

float mean_gradient(std::span<const float> logits,
                    std::span<const float> d_weights,
                    float log_sum) {
  assert(logits.size() == d_weights.size());
  return HWY_DYNAMIC_DISPATCH(mean)(
      logits.data(), d_weights.data(), static_cast<int>(logits.size()), log_sum);
}

void differentiate(const TileRow& row) {
  assert(row.logits.size() == row.d_weights.size() &&
         row.logits.size() == row.keep.size() && row.logits.size() == row.gates.size());
  HWY_DYNAMIC_DISPATCH(row_gradient)(row);
}

}  // namespace oa::attention
#endif
