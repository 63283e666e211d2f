#include "oa/base/parallel.h"
#include "survey/kernel/fused/gradient.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <numbers>
#include <span>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include "survey/kernel/fused/gradient-inl.h"

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

using panels::Bands;

int panel_of_gradients() {
  return panels::widest();
}

// Computes D, the row sum of dO * o, of one query for all heads.
void find_deltas(
    num::ConstView o, num::ConstView d_o, int heads, int query, float* deltas) {
  const int width = o.cols / heads;
  for (int h = 0; h < heads; ++h) {
    deltas[static_cast<std::ptrdiff_t>(h) * o.rows + query] =
        slopes::dot_rows(o.row(query) + h * width, d_o.row(query) + h * width, width);
  }
}

// to = factor * from
HWY_INLINE void read_row(
    const float* from, float factor, int width, float* to, panels::Finite& finite) {
  panels::scale_row(from, factor, width, to, [&](tile::Vector x) { finite.look(x); });
}

// Packs the keys and values of a block; returns whether all are finite.
bool begin_block(const GradientBlock& t) {
  const GradientWorker& w = *t.worker;
  const int padded = panels::padded(t.k.width);
  const std::ptrdiff_t panel_size = std::ptrdiff_t{t.panel} * t.k.width;
  for (int b = 0; b < t.panels; ++b) {
    panels::pack_panel(
        t.k, t.first + b * t.panel, t.panel, w.kt.data() + b * panel_size);
    panels::pack_panel(
        t.v, t.first + b * t.panel, t.panel, w.vt.data() + b * panel_size);
  }
  panels::Finite finite;
  for (int j = 0; j < t.count; ++j) {
    read_row(t.k.row(t.first + j), 1.0F, t.k.width, w.k.data() + j * padded, finite);
  }
  std::fill(w.dk.data(), w.dk.data() + t.count * padded, 0.0F);
  std::fill(w.dv.data(), w.dv.data() + t.count * padded, 0.0F);
  return finite.all() && !panels::needs_care(t.v, t.first, t.count);
}

void end_block(const GradientBlock& t) {
  const GradientWorker& w = *t.worker;
  const int width = t.k.width;
  const int padded = panels::padded(width);
  for (int j = 0; j < t.count; ++j) {
    panels::scale_row(w.dk.data() + j * padded,
                      static_cast<float>(1.0 / std::numbers::log2e),
                      width,
                      t.dk.row(t.first + j) + t.group * width);
    panels::scale_row(
        w.dv.data() + j * padded, 1.0F, width, t.dv.row(t.first + j) + t.group * width);
  }
}

// Reads the queries and output gradients of a tile; returns whether all are finite.
bool begin_tile(const GradientBlock& t, const TileRows& rows) {
  const GradientWorker& w = *t.worker;
  const int width = t.k.width;
  const int padded = panels::padded(width);
  const auto factor =
      static_cast<float>(static_cast<double>(t.heads->scale) * std::numbers::log2e);
  panels::Finite finite;
  int r = 0;
  for (int h = rows.first_head; h < rows.first_head + rows.heads; ++h) {
    const HeadRows q(t.heads->q, h, width);
    const HeadRows d_o(t.d_o, h, width);
    for (int i = rows.first_query; i < rows.first_query + rows.queries; ++i, ++r) {
      read_row(q.row(i), factor, width, w.q.data() + r * padded, finite);
      read_row(d_o.row(i), 1.0F, width, w.d_o.data() + r * padded, finite);
      w.minus_log[r] = static_cast<float>(-std::numbers::log2e) * t.log_sums(h, i);
      w.minus_d[r] = -t.deltas[static_cast<std::ptrdiff_t>(h) * t.d_o.rows + i];
    }
  }
  return finite.all();
}

void clear_queries(const GradientBlock& t, const TileRows& rows) {
  const int width = t.k.width;
  for (int i = rows.first_query; i < rows.first_query + rows.queries; ++i) {
    std::fill_n(t.dq.row(i) + rows.first_head * width, rows.heads * width, 0.0F);
  }
}

void run_block(const GradientBlock& t) {
  const GradientWorker& w = *t.worker;
  const bool block_finite = begin_block(t);
  for (int i = 0; i < t.cut->tiles(); ++i) {
    TileRows rows = t.cut->tile(*t.pattern, t.group, i);
    rows.panel = t.panel;
    rows.panels = kBlockKeys / t.panel;
    rows.masks = w.masks;
    rows.seen = w.seen;
    if (t.begins) {
      clear_queries(t, rows);
    }
    if (!rows.see({t.first, t.first + t.count})) {
      continue;
    }
    const Bands bands(rows.rows());
    const bool finite = begin_tile(t, rows) && block_finite;
    const gradients::MultiplyFunction multiply =
        finite ? tile::multiply : tile::multiply_with_care;
    for (int b = 0; b < t.panels; ++b) {
      const gradients::RowRanges seeing = gradients::find_slopes(t, rows, bands, b);
      if (!seeing.get().empty()) {
        gradients::add_to_keys(t, b, seeing.get(), multiply);
      }
    }
    for (int band = 0; band < bands.count; ++band) {
      gradients::add_to_queries(t, rows, bands, band, multiply);
    }
  }
  end_block(t);
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(panel_of_gradients);
HWY_EXPORT(find_deltas);
HWY_EXPORT(run_block);

GradientWorker worker_of(const HeadsShape& shape, Arena& arena) {
  const std::ptrdiff_t rows = kTileRows;
  const std::ptrdiff_t keys = kBlockKeys;
  const std::ptrdiff_t width = num::padded(shape.width);
  const std::ptrdiff_t panels = keys / HWY_DYNAMIC_DISPATCH(panel_of_gradients)();
  GradientWorker w{};
  w.q = piece<float>(arena, rows * width);
  w.d_o = piece<float>(arena, rows * width);
  w.dq = piece<float>(arena, rows * width);
  w.minus_log = piece<float>(arena, rows);
  w.minus_d = piece<float>(arena, rows);
  w.p = piece<float>(arena, rows * kWeightsStride);
  w.ds = piece<float>(arena, rows * kWeightsStride);
  w.kt = piece<float>(arena, keys * shape.width);
  w.vt = piece<float>(arena, keys * shape.width);
  w.k = piece<float>(arena, keys * width);
  w.dk = piece<float>(arena, keys * width);
  w.dv = piece<float>(arena, keys * width);
  w.masks = piece<std::uint64_t>(arena, rows * panels);
  w.seen = piece<std::uint64_t>(arena, rows * panels);
  return w;
}

void add_part(num::ConstView from, num::View to) {
  for (int i = 0; i < to.rows; ++i) {
    for (int j = 0; j < to.cols; ++j) {
      to(i, j) += from(i, j);
    }
  }
}

// Splits a single long group in two, for two threads.
int parts_of(const HeadsShape& shape) {
  return shape.groups == 1 && shape.keys > 2 * kBlockKeys ? 2 : 1;
}

}  // namespace

GradientScratch::GradientScratch(const HeadsShape& shape, int threads, Arena& arena) {
  deltas_ = piece<float>(arena, std::ptrdiff_t{shape.heads} * shape.queries).data();
  // The first part of keys writes the gradient of the queries directly.
  parts_ = pieces<num::View>(arena, parts_of(shape), [&](int i) -> num::View {
    if (i == 0) {
      return {};
    }
    const int cols = shape.heads * shape.width;
    const auto data = piece<float>(arena, std::ptrdiff_t{shape.queries} * cols);
    return {data.data(), shape.queries, cols, cols};
  });
  workers_ = pieces<GradientWorker>(
      arena, threads, [&](int /*i*/) { return worker_of(shape, arena); });
}

void fused_backward(const HeadsView& heads,
                    const Pattern& pattern,
                    num::ConstView o,
                    num::ConstView log_sums,
                    num::ConstView d_o,
                    num::View dq,
                    num::View dk,
                    num::View dv,
                    const GradientScratch& scratch) {
  const HeadsShape shape = HeadsShape::of(heads);
  assert(num::same_shape(heads.q, o) && num::same_shape(o, d_o) &&
         num::same_shape(o, dq) && num::same_shape(heads.k, dk) &&
         num::same_shape(heads.v, dv));
  const auto threads = static_cast<int>(scratch.workers().size());
  const auto parts = static_cast<int>(scratch.parts().size());
  const int rows = pattern.is_band() ? kTileRows / kBandRows * kBandRows : kTileRows;
  const TileCut cut(shape, pattern, rows, rows);
  const int panel = HWY_DYNAMIC_DISPATCH(panel_of_gradients)();
  parallel_stretches(shape.queries, threads, [&](std::int64_t query, int /*worker*/) {
    HWY_DYNAMIC_DISPATCH(find_deltas)
    (o, d_o, shape.heads, static_cast<int>(query), scratch.deltas());
  });
  // Parts take alternate blocks of keys,
  // because most queries of causal patterns see the first blocks.
  const auto run = [&](std::int64_t job, int worker) {
    const auto group = static_cast<int>(job / parts);
    const auto part = static_cast<int>(job % parts);
    const int last = std::max(shape.keys, 1);
    for (int first = part * kBlockKeys; first < last; first += parts * kBlockKeys) {
      const int count = std::min(kBlockKeys, shape.keys - first);
      HWY_DYNAMIC_DISPATCH(run_block)
      (GradientBlock{&heads,
                     &pattern,
                     &cut,
                     &scratch.workers()[static_cast<std::size_t>(worker)],
                     HeadRows(heads.k, group, shape.width),
                     HeadRows(heads.v, group, shape.width),
                     group,
                     first,
                     count,
                     panel,
                     panels_of(count, panel),
                     first == part * kBlockKeys,
                     log_sums,
                     scratch.deltas(),
                     d_o,
                     part == 0 ? dq : scratch.parts()[static_cast<std::size_t>(part)],
                     dk,
                     dv});
    }
  };
  parallel_stretches(std::int64_t{shape.groups} * parts, threads, run);
  for (const num::View& part : scratch.parts().subspan(1)) {
    add_part(part, dq);
  }
}

}  // namespace oa::attention
#endif
