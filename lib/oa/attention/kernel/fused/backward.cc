#include "oa/attention/kernel/fused/fused.h"
#include "oa/attention/kernel/fused/tile.h"
#include "oa/base/parallel.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <numbers>
#include <span>

#ifndef OA_ATTENTION_KERNEL_FUSED_BACKWARD  // once, not once per target
#define OA_ATTENTION_KERNEL_FUSED_BACKWARD
namespace oa::attention {

struct GradientWorker {
  std::span<float> q;          // rows x padded width, scaled by scale * log2(e)
  std::span<float> d_o;        // rows x padded width
  std::span<float> dq;         // rows x padded width, for one block of keys
  std::span<float> minus_log;  // rows: -L log2(e)
  std::span<float> minus_d;    // rows: -D
  std::span<float> p;          // rows x keys of a block
  std::span<float> ds;         // rows x keys of a block
  std::span<float> kt;         // packed keys of the block
  std::span<float> vt;         // packed values of the block
  std::span<float> k;          // keys x padded width
  std::span<float> dk;         // keys x padded width, of scaled queries
  std::span<float> dv;         // keys x padded width
  std::span<std::uint64_t> masks;
  std::span<std::uint64_t> seen;
};

namespace {

// p and ds of one tile, its rows and a block of keys fit into the L2 cache.
constexpr int kTileRows = 128;  // at most
constexpr int kBlockKeys = 256;
// Columns of p and ds are read, too: with a power of 2 their lines would compete for
// few places of the L1 cache.
constexpr int kWeightsStride = kBlockKeys + 16;

// Keys first .. first+count-1 of a group against all its queries.
struct GradientBlock {
  const HeadsView* heads;
  const Pattern* pattern;
  const TileCut* cut;
  const GradientWorker* worker;
  HeadRows k;
  HeadRows v;
  int group;
  int first;
  int count;
  int panel;    // keys
  int panels;   // of the block
  bool begins;  // dq has no sums of this group yet
  int next;     // first key of the next block, or the number of keys
  num::ConstView log_sums;
  const float* deltas;
  num::ConstView d_o;
  num::View dq;
  num::View dk;
  num::View dv;
};

}  // namespace
}  // namespace oa::attention
#endif

#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include "oa/attention/kernel/fused/slope-inl.h"

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using panels::Bands;
using tile::Floats;
using tile::lanes;

int panel_of_gradients() {
  return panels::widest();
}

// Computes D of one query for all heads.
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

// Reads the rows of a tile; returns whether all are finite.
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

// Ranges of rows or keys; adjacent ones are merged.  The list is short, because each
// band makes one.
template <int Most>
class Ranges {
 public:
  void add(Run range) {
    if (count_ > 0 && all_[count_ - 1].end == range.begin) {
      all_[count_ - 1].end = range.end;
    } else {
      assert(count_ < all_.size());
      all_[count_++] = range;
    }
  }
  [[nodiscard]] std::span<const Run> get() const { return {all_.data(), count_}; }

 private:
  std::array<Run, Most> all_;
  std::size_t count_ = 0;
};

constexpr int kMostBands = Bands(kTileRows).count;
constexpr int kMostPanels =
    kBlockKeys / (tile::kVectors * static_cast<int>(hn::MaxLanes(Floats())));
using RowRanges = Ranges<kMostBands>;

// Computes p and ds of one panel for the bands of rows that see some of it, and returns
// these.
RowRanges find_slopes(const GradientBlock& t,
                      const TileRows& rows,
                      const Bands& bands,
                      int b,
                      PrefetchQueue& prefetch) {
  const GradientWorker& w = *t.worker;
  const int padded = panels::padded(t.k.width);
  const std::ptrdiff_t panel_size = std::ptrdiff_t{t.panel} * t.k.width;
  const std::uint64_t whole = ~std::uint64_t{0} >> (64 - t.panel);
  const int first = t.first + b * t.panel;
  const bool all = panels::all_see_whole(rows, first, b);
  RowRanges seeing;
  slopes::Slope slope{w.q.data(),
                      w.d_o.data(),
                      padded,
                      w.kt.data() + b * panel_size,
                      w.vt.data() + b * panel_size,
                      t.panel,
                      t.k.width,
                      w.minus_log.data(),
                      w.minus_d.data(),
                      w.p.data() + b * t.panel,
                      w.ds.data() + b * t.panel,
                      kWeightsStride,
                      rows.masks.data() + b,
                      rows.panels,
                      nullptr};
  for (int band = 0; band < bands.count; ++band) {
    const int size = bands.size(band);
    const panels::Sight sight =
        all ? panels::Sight{whole, whole}
            : panels::sight(rows, bands.begin(band), size, first, b);
    rows.seen[band * rows.panels + b] = sight.some;
    if (sight.some != 0) {
      seeing.add({bands.begin(band), bands.begin(band + 1)});
      slope.prefetch = &prefetch.take(2 * t.k.width);
      const auto& functions =
          sight.every == whole ? slopes::kSlopes<false> : slopes::kSlopes<true>;
      functions[static_cast<std::size_t>(size - 1)](slope);
    }
    slope.skip(size);
  }
  return seeing;
}

using MultiplyFunction = void (*)(const tile::Product&, int, int);

// dk += ds' q and dv += p' d_o for the keys of one panel.
void add_to_keys(const GradientBlock& t,
                 int b,
                 std::span<const Run> seeing,
                 MultiplyFunction multiply) {
  const GradientWorker& w = *t.worker;
  const int padded = panels::padded(t.k.width);
  const Bands bands(std::min(t.panel, t.count - b * t.panel));
  const auto add = [&](const float* left, const float* right, float* to) {
    std::array<tile::Stretch, kMostBands> all;
    std::ranges::transform(seeing, all.begin(), [&](const Run& some) {
      return tile::Stretch{left + some.begin * kWeightsStride + b * t.panel,
                           right + some.begin * padded,
                           some.length()};
    });
    const std::span<tile::Stretch> stretches(all.data(), seeing.size());
    to += b * t.panel * padded;
    for (int band = 0; band < bands.count; ++band) {
      const int keys = bands.size(band);
      multiply(
          {stretches, 1, kWeightsStride, padded, to, padded, false}, keys, t.k.width);
      to += keys * padded;
      for (tile::Stretch& some : stretches) {
        some.a += keys;
      }
    }
  };
  add(w.p.data(), w.d_o.data(), w.dv.data());
  add(w.ds.data(), w.q.data(), w.dk.data());
}

// dq += scale ds k for the rows of one band, over the panels that it sees.
void add_to_queries(const GradientBlock& t,
                    const TileRows& rows,
                    const Bands& bands,
                    int band,
                    MultiplyFunction multiply) {
  const GradientWorker& w = *t.worker;
  const int width = t.k.width;
  const int padded = panels::padded(width);
  Ranges<kMostPanels> seen;  // keys
  for (int b = 0; b < t.panels; ++b) {
    if (rows.seen[band * rows.panels + b] != 0) {
      seen.add({b * t.panel, std::min((b + 1) * t.panel, t.count)});
    }
  }
  if (seen.get().empty()) {
    return;
  }
  const int row = bands.begin(band);
  std::array<tile::Stretch, kMostPanels> all;
  std::ranges::transform(seen.get(), all.begin(), [&](const Run& some) {
    return tile::Stretch{w.ds.data() + row * kWeightsStride + some.begin,
                         w.k.data() + some.begin * padded,
                         some.length()};
  });
  multiply({{all.data(), seen.get().size()},
            kWeightsStride,
            1,
            padded,
            w.dq.data() + row * padded,
            padded,
            true},
           bands.size(band),
           width);
  int head = row / rows.queries;
  int query = row % rows.queries;
  for (int r = row; r < bands.begin(band + 1); ++r) {
    float* to = t.dq.row(rows.first_query + query) + (rows.first_head + head) * width;
    slopes::add_row(w.dq.data() + r * padded, t.heads->scale, width, to);
    if (++query == rows.queries) {
      query = 0;
      ++head;
    }
  }
}

// What to prefetch during a tile: the rows of the next one, or after the last one the
// outputs of this block and the keys and values of the next block.
PrefetchQueue prefetch_queue(const GradientBlock& t, int next) {
  PrefetchQueue queue(t.worker->q.data());
  const int width = t.k.width;
  if (next == t.cut->tiles()) {
    for (const num::ConstView x : {num::ConstView(t.dk), num::ConstView(t.dv)}) {
      queue.add(x.row(t.first) + t.group * width, x.stride, width, t.count);
    }
    const int count = std::min(t.k.rows - t.next, kBlockKeys);
    if (count > 0) {
      queue.add(t.k.row(t.next), t.k.stride, width, count);
      queue.add(t.v.row(t.next), t.v.stride, width, count);
    }
  } else {
    const TileRows rows = t.cut->tile(*t.pattern, t.group, next);
    for (const num::ConstView x : {t.heads->q, t.d_o, num::ConstView(t.dq)}) {
      const float* first = x.row(rows.first_query) + rows.first_head * width;
      queue.add(first, x.stride, rows.heads * width, rows.queries);
    }
  }
  return queue;
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
    const MultiplyFunction multiply = finite ? tile::multiply<tile::Float32>
                                             : tile::multiply_with_care<tile::Float32>;
    PrefetchQueue prefetch = prefetch_queue(t, i + 1);
    for (int b = 0; b < t.panels; ++b) {
      const RowRanges seeing = find_slopes(t, rows, bands, b, prefetch);
      if (!seeing.get().empty()) {
        add_to_keys(t, b, seeing.get(), multiply);
      }
    }
    for (int band = 0; band < bands.count; ++band) {
      add_to_queries(t, rows, bands, band, multiply);
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

// One sequence with one group of keys still has work for two threads.
int parts_of(const HeadsShape& shape) {
  return shape.groups == 1 && shape.keys > 2 * kBlockKeys ? 2 : 1;
}

}  // namespace

GradientScratch::GradientScratch(const HeadsShape& shape, int threads, Arena& arena) {
  deltas_ = piece<float>(arena, std::ptrdiff_t{shape.heads} * shape.queries).data();
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
  // Parts take blocks of keys in turn, because causal patterns see the first blocks
  // most.
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
                     first + parts * kBlockKeys,
                     log_sums,
                     scratch.deltas(),
                     d_o,
                     part == 0 ? dq : scratch.parts()[static_cast<std::size_t>(part)],
                     dk,
                     dv});
    }
  };
  parallel_stretches(std::int64_t{shape.groups} * parts, threads, run);
  for (int part = 1; part < parts; ++part) {
    for (int i = 0; i < dq.rows; ++i) {
      const float* from = scratch.parts()[static_cast<std::size_t>(part)].row(i);
      for (int j = 0; j < dq.cols; ++j) {
        dq(i, j) += from[j];
      }
    }
  }
}

}  // namespace oa::attention
#endif
