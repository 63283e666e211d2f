#include "oa/attention/kernel/fused.h"

#include "oa/attention/kernel/fused_rows.h"
#include "oa/base/parallel.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#include <hwy/cache_control.h>

#ifndef OA_ATTENTION_KERNEL_FUSED_TILE  // once, not once per target
#define OA_ATTENTION_KERNEL_FUSED_TILE
namespace oa::attention {

struct FusedWorker {
  float* q;                // rows x width, scaled
  float* o;                // rows x padded width
  float* p;                // rows x keys of a block
  float* sums;             // a vector a row
  float* minus_reference;  // one a row
  float* limit;            // one a row
  float* k;                // a packed panel, if keys are not packed before
  float* v;                // values of a block, if they are copied
  std::uint64_t* masks;
  std::uint64_t* seen;
  std::uint8_t* repeats;
  int* panels;            // that the tile sees
  std::uint8_t* marks;    // one a panel
  std::uint8_t* careful;  // one a panel of a block
  std::uint8_t* started;  // one a band of rows: whether o holds a sum already
};

namespace {

struct FusedTile {
  TileRows rows;
  const HeadsView* heads;
  HeadRows k;
  HeadRows v;
  const FusedPlan* plan;
  const FusedWorker* worker;
  const float* packed;          // keys of the group, or null
  const std::uint8_t* careful;  // panels of the group whose values are not all finite
  num::View o;
  num::View log_sums;
};

}  // namespace
}  // namespace oa::attention
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "oa/attention/kernel/fused.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include "oa/attention/kernel/fused_panels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using panels::Bands;
using tile::Floats;
using tile::lanes;

int panel_width() {
  return panels::widest();
}

void prepare_panel(const HeadRows& k,
                   const HeadRows& v,
                   int first,
                   int panel,
                   bool all_seen,
                   float* packed,
                   std::uint8_t* careful) {
  panels::pack_panel(k, first, panel, packed);
  const int count = std::min(panel, k.rows - first);
  *careful = !all_seen && panels::needs_care(v, first, count) ? 1 : 0;
}

// Lists the panels that some query of the tile sees, and returns their number.
int list_panels(const FusedTile& t) {
  const FusedWorker& w = *t.worker;
  const Pattern& pattern = *t.rows.pattern;
  const int panel = t.rows.panel;
  const int first = t.rows.first_query;
  const int end = first + t.rows.queries;
  int count = 0;
  if (pattern.is_band()) {
    const int end_key = pattern.band_row(end - 1).end;
    for (int p = pattern.band_row(first).begin / panel; p * panel < end_key; ++p) {
      w.panels[count++] = p;
    }
    return count;
  }
  const int all = panels_of(pattern.keys(), panel);
  std::fill(w.marks, w.marks + all, std::uint8_t{0});
  panels::find_repeats(t.rows);
  for (int q = first; q < end; ++q) {
    if (t.rows.repeats[q - first] == 0) {
      for (const Run& run : pattern.runs(q)) {
        std::fill(w.marks + run.begin / panel,
                  w.marks + (run.end - 1) / panel + 1,
                  std::uint8_t{1});
      }
    }
  }
  for (int p = 0; p < all; ++p) {
    if (w.marks[p] != 0) {
      w.panels[count++] = p;
    }
  }
  return count;
}

// Calls use(row, head, query) for the rows of a band.
template <class Use>
HWY_INLINE void for_rows(const FusedTile& t, const Bands& bands, int band, Use use) {
  int row = bands.begin(band);
  int h = row / t.rows.queries;
  int i = row % t.rows.queries;
  for (; row < bands.begin(band + 1); ++row) {
    use(row, t.rows.first_head + h, t.rows.first_query + i);
    if (++i == t.rows.queries) {
      i = 0;
      ++h;
    }
  }
}

// What the band after the next will read or write is fetched while this one is at work.
template <class View>
HWY_INLINE void prefetch(const FusedTile& t, const Bands& bands, int band, View view) {
  if (band >= bands.count) {
    return;
  }
  const int width = t.heads->width();
  for_rows(t, bands, band, [&](int, int head, int query) {
    for (int i = 0; i < width; i += 16) {
      hwy::Prefetch(view.row(query) + head * width + i);
    }
  });
}

void begin_band(const FusedTile& t, const Bands& bands, int band) {
  const FusedWorker& w = *t.worker;
  const int width = t.heads->width();
  const auto factor = static_cast<float>(static_cast<double>(t.heads->scale) * kLog2E);
  prefetch(t, bands, band + 2, t.heads->q);
  for_rows(t, bands, band, [&](int row, int head, int query) {
    const float* q = t.heads->q.row(query) + head * width;
    panels::scale_row(q, factor, width, w.q + row * width);
    w.minus_reference[row] = 0.0F;
    w.limit[row] = tile::kUnset;
    hn::Store(hn::Zero(Floats()), Floats(), w.sums + row * lanes());
  });
}

void end_row(const FusedTile& t, int row, bool started, int head, int query) {
  const Floats d;
  const FusedWorker& w = *t.worker;
  const int width = t.heads->width();
  const float sum = hn::GetLane(hn::SumOfLanes(d, hn::Load(d, w.sums + row * lanes())));
  const bool seen = started && sum != 0.0F;
  float* o = t.o.row(query) + head * width;
  if (seen) {
    panels::scale_row(w.o + row * panels::padded(width), 1.0F / sum, width, o);
  } else {
    std::fill(o, o + width, 0.0F);
  }
  if (t.log_sums.data != nullptr) {
    const double log2_sum = static_cast<double>(std::log2(sum)) -
                            static_cast<double>(w.minus_reference[row]);
    t.log_sums(head, query) = seen ? static_cast<float>(log2_sum / kLog2E)
                                   : -std::numeric_limits<float>::infinity();
  }
}

void end_band(const FusedTile& t, const Bands& bands, int band) {
  prefetch(t, bands, band + 2, t.o);
  for_rows(t, bands, band, [&](int row, int head, int query) {
    end_row(t, row, t.worker->started[band] != 0, head, query);
  });
}

// The weights of a band for the panel that is number `index` of its block.
void weigh_band(const FusedTile& t,
                const Bands& bands,
                int band,
                int index,
                const float* packed,
                panels::Sight sight) {
  const FusedWorker& w = *t.worker;
  const FusedPlan& plan = *t.plan;
  const int row = bands.begin(band);
  const int rows = bands.size(band);
  const int width = t.heads->width();
  tile::Score score{w.q + row * width,
                    width,
                    packed,
                    plan.panel,
                    width,
                    w.p + row * plan.keys + index * plan.panel,
                    plan.keys,
                    w.minus_reference + row,
                    w.limit + row,
                    w.sums + row * lanes(),
                    w.masks + row * t.rows.panels + index,
                    t.rows.panels,
                    0,
                    w.p + row * plan.keys,
                    w.o + row * panels::padded(width),
                    panels::padded(width)};
  if (sight.every == ~std::uint64_t{0} >> (64 - panels::widest())) {
    tile::kFull[static_cast<std::size_t>(rows - 1)](score);
    return;
  }
  const int first = std::countr_zero(sight.some) / lanes();
  const int last = (63 - std::countl_zero(sight.some)) / lanes();
  score.first_bit = first * lanes();
  score.k += score.first_bit;
  score.p += score.first_bit;
  tile::kMasked[static_cast<std::size_t>((rows - 1) * tile::kVectors + last - first)](
      score);
}

// The weights of one panel for all rows.
void weigh_panel(const FusedTile& t,
                 const Bands& bands,
                 int first,
                 int index,
                 bool begins,
                 const float* packed) {
  const std::uint64_t whole = ~std::uint64_t{0} >> (64 - t.plan->panel);
  const bool all = panels::all_see_whole(t.rows, first, index);
  for (int band = 0; band < bands.count; ++band) {
    if (begins) {
      begin_band(t, bands, band);
    }
    const panels::Sight sight =
        all ? panels::Sight{whole, whole}
            : panels::sight(t.rows, bands.begin(band), bands.size(band), index);
    t.rows.seen[band * t.rows.panels + index] = sight.some;
    if (sight.some != 0) {
      weigh_band(t, bands, band, index, packed, sight);
    }
  }
}

// Values of `count` panels, one behind the other and padded with zeros.
void copy_values(const FusedTile& t, const int* panels, int count) {
  const int padded = panels::padded(t.v.width);
  const int panel = t.plan->panel;
  for (int b = 0; b < count; ++b) {
    const int first = panels[b] * panel;
    float* to = t.worker->v + b * panel * padded;
    for (int j = 0; j < std::min(panel, t.v.rows - first); ++j, to += padded) {
      panels::scale_row(t.v.row(first + j), 1.0F, t.v.width, to);
    }
  }
}

// o += p v of a band over the panels of a block.
void add_values(
    const FusedTile& t, const Bands& bands, int band, const int* panels, int count) {
  const FusedWorker& w = *t.worker;
  const FusedPlan& plan = *t.plan;
  const int padded = panels::padded(t.v.width);
  const int row = bands.begin(band);
  const std::uint64_t* seen = w.seen + band * t.rows.panels;
  for (int b = 0; b < count;) {
    if (seen[b] == 0) {
      ++b;
      continue;
    }
    // Panels that follow each other, with care or without, make one product.
    const int first = b;
    const bool careful = w.careful[b] != 0;
    for (++b; b < count && panels::follows(seen[b - 1], seen[b], plan.panel) &&
              (plan.copies || panels[b] == panels[b - 1] + 1) &&
              (w.careful[b] != 0) == careful;
         ++b) {
    }
    const int skipped = std::countr_zero(seen[first]);
    const int begin = first * plan.panel + skipped;
    const int end = (b - 1) * plan.panel + 64 - std::countl_zero(seen[b - 1]);
    const tile::Product product{w.p + row * plan.keys + begin,
                                plan.keys,
                                1,
                                plan.copies
                                    ? w.v + begin * padded
                                    : t.v.row(panels[first] * plan.panel + skipped),
                                plan.copies ? padded : t.v.stride,
                                w.o + row * padded,
                                padded,
                                end - begin,
                                w.started[band] == 0};
    w.started[band] = 1;
    if (careful) {
      tile::multiply_with_care(product, bands.size(band), t.v.width);
    } else {
      tile::multiply(product, bands.size(band), t.v.width);
    }
  }
}

// A block of panels for all rows of a tile.
void run_block(const FusedTile& t,
               const Bands& bands,
               const int* panels,
               int count,
               bool begins,
               bool ends) {
  const FusedWorker& w = *t.worker;
  for (int b = 0; b < count; ++b) {
    const int first = panels[b] * t.plan->panel;
    const float* packed = t.packed + static_cast<std::ptrdiff_t>(first) * t.k.width;
    if (t.packed == nullptr) {
      const bool all_seen = panels::all_see(t.rows, first);
      prepare_panel(t.k, t.v, first, t.plan->panel, all_seen, w.k, w.careful + b);
      packed = w.k;
    } else {
      w.careful[b] = t.careful[panels[b]];
    }
    weigh_panel(t, bands, first, b, begins && b == 0, packed);
  }
  if (t.plan->copies) {
    copy_values(t, panels, count);
  }
  for (int band = 0; band < bands.count; ++band) {
    add_values(t, bands, band, panels, count);
    if (ends) {
      end_band(t, bands, band);
    }
  }
}

void run_tile(const FusedTile& t) {
  const FusedWorker& w = *t.worker;
  const Bands bands(t.rows.rows());
  std::fill(w.started, w.started + bands.count, std::uint8_t{0});
  const int count = list_panels(t);
  for (int begin = 0; begin < count; begin += t.rows.panels) {
    const int some = std::min(t.rows.panels, count - begin);
    run_block(t, bands, w.panels + begin, some, begin == 0, begin + some == count);
  }
  for (int band = 0; count == 0 && band < bands.count; ++band) {
    end_band(t, bands, band);
  }
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(panel_width);
HWY_EXPORT(prepare_panel);
HWY_EXPORT(run_tile);

FusedWorker worker_of(const HeadsShape& shape, const FusedPlan& plan, Arena& arena) {
  const std::ptrdiff_t rows = plan.rows;
  const std::ptrdiff_t width = num::padded(shape.width);
  const std::ptrdiff_t panels = plan.keys / plan.panel;
  const std::ptrdiff_t all = panels_of(shape.keys, plan.panel);
  FusedWorker w{};
  w.q = piece<float>(arena, rows * shape.width);
  w.o = piece<float>(arena, rows * width);
  w.p = piece<float>(arena, rows * plan.keys);
  w.sums = piece<float>(arena, rows * num::kLane);
  w.minus_reference = piece<float>(arena, rows);
  w.limit = piece<float>(arena, rows);
  w.k = plan.packed == 0 ? piece<float>(arena, plan.panel * shape.width) : nullptr;
  w.v = plan.copies ? piece<float>(arena, plan.keys * width) : nullptr;
  w.masks = piece<std::uint64_t>(arena, rows * panels);
  w.seen = piece<std::uint64_t>(arena, rows * panels);
  w.panels = piece<int>(arena, all);
  w.repeats = piece<std::uint8_t>(arena, rows);
  w.marks = piece<std::uint8_t>(arena, all);
  w.careful = piece<std::uint8_t>(arena, panels);
  w.started = piece<std::uint8_t>(arena, rows);
  return w;
}

std::size_t scratch_bytes(const HeadsShape& shape, const FusedPlan& plan) {
  return bytes_taken([&](Arena& arena) { return FusedScratch(shape, plan, 1, arena); });
}

}  // namespace

HeadsShape HeadsShape::of(const HeadsView& heads) {
  return {heads.q.rows, heads.k.rows, heads.heads, heads.groups, heads.width()};
}

FusedPlan plan_fused(const HeadsShape& shape, std::size_t bytes) {
  const int widest = HWY_DYNAMIC_DISPATCH(panel_width)();
  const bool ragged = shape.width % num::kLane != 0;
  const std::size_t group = sizeof(float) * static_cast<std::size_t>(shape.keys) *
                            static_cast<std::size_t>(shape.width);
  constexpr std::size_t kPackedAtOnce = std::size_t{1} << 20;
  const auto together =
      std::clamp<std::size_t>(kPackedAtOnce / std::max<std::size_t>(group, 1),
                              1,
                              static_cast<std::size_t>(shape.groups));
  const FusedPlan plan{128, 256, widest, static_cast<int>(together), ragged};
  const auto fits = [&](const FusedPlan& p) {
    return bytes == 0 || scratch_bytes(shape, p) <= bytes;
  };
  if (fits(plan)) {
    return plan;
  }
  // Fewer queries cost most: each tile packs all keys again.  Narrow panels cost least.
  FusedPlan small{0, 0, 0, 0, ragged};
  for (const int rows : {96, 48, 24, 12, 6, 1}) {
    for (const int panels : {4, 2, 1}) {
      for (int panel = widest; panel >= std::min(widest, num::kLane); panel /= 2) {
        small = {rows, panel * panels, panel, 0, ragged};
        if (fits(small)) {
          return small;
        }
      }
    }
  }
  return small;
}

FusedScratch::FusedScratch(const HeadsShape& shape,
                           const FusedPlan& plan,
                           int threads,
                           Arena& arena)
    : plan_(plan) {
  assert(plan.panel <= HWY_DYNAMIC_DISPATCH(panel_width)() &&
         plan.keys % plan.panel == 0);
  const std::ptrdiff_t panels = panels_of(shape.keys, plan.panel);
  if (plan.packed > 0) {
    packed_ = piece<float>(arena, plan.packed * panels * plan.panel * shape.width);
    careful_ = piece<std::uint8_t>(arena, plan.packed * panels);
  }
  auto* workers = piece<FusedWorker>(arena, threads);
  for (int i = 0; i < threads; ++i) {
    const FusedWorker worker = worker_of(shape, plan, arena);
    if (workers != nullptr) {
      new (workers + i) FusedWorker(worker);
    }
  }
  workers_ = {workers, static_cast<std::size_t>(threads)};
}

void fused_forward(const HeadsView& heads,
                   const Pattern& pattern,
                   num::View o,
                   num::View log_sums,
                   const FusedScratch& scratch) {
  const HeadsShape shape = HeadsShape::of(heads);
  const FusedPlan& plan = scratch.plan();
  assert(heads.heads % heads.groups == 0 && heads.q.cols % heads.heads == 0);
  assert(heads.k.cols == heads.groups * shape.width &&
         num::same_shape(heads.k, heads.v));
  assert(num::same_shape(heads.q, o) && pattern.queries() == shape.queries &&
         pattern.keys() == shape.keys);
  const bool all_seen = pattern.is_band() && shape.queries > 0 &&
                        pattern.band_row(0).end == shape.keys &&
                        pattern.band_row(shape.queries - 1).begin == 0;
  const auto threads = static_cast<int>(scratch.workers().size());
  const int panels = panels_of(shape.keys, plan.panel);
  const std::ptrdiff_t panel_size = std::ptrdiff_t{plan.panel} * shape.width;
  const int together = std::max(1, plan.packed);
  const TileCut cut(shape, pattern, plan.rows);
  const int tiles = cut.tiles();
  for (int first = 0; first < shape.groups; first += together) {
    const int groups = std::min(together, shape.groups - first);
    const auto pack = [&](std::int64_t job, int /*worker*/) {
      const int group = first + static_cast<int>(job / panels);
      HWY_DYNAMIC_DISPATCH(prepare_panel)
      (HeadRows(heads.k, group, shape.width),
       HeadRows(heads.v, group, shape.width),
       static_cast<int>(job % panels) * plan.panel,
       plan.panel,
       all_seen,
       scratch.packed() + job * panel_size,
       scratch.careful() + job);
    };
    const auto run = [&](std::int64_t job, int worker) {
      const FusedWorker& w = scratch.workers()[static_cast<std::size_t>(worker)];
      const auto index = static_cast<int>(job / tiles);
      const int group = first + index;
      const std::ptrdiff_t before = std::ptrdiff_t{index} * panels;
      // The last queries of a causal pattern see most: they come first.
      TileRows rows =
          cut.tile(pattern, group, tiles - 1 - static_cast<int>(job % tiles));
      rows.panel = plan.panel;
      rows.panels = plan.keys / plan.panel;
      rows.masks = w.masks;
      rows.seen = w.seen;
      rows.repeats = w.repeats;
      HWY_DYNAMIC_DISPATCH(run_tile)
      (FusedTile{rows,
                 &heads,
                 HeadRows(heads.k, group, shape.width),
                 HeadRows(heads.v, group, shape.width),
                 &plan,
                 &w,
                 plan.packed > 0 ? scratch.packed() + before * panel_size : nullptr,
                 scratch.careful() + before,
                 o,
                 log_sums});
    };
    if (plan.packed > 0) {
      parallel_for(std::int64_t{groups} * panels, threads, pack);
    }
    parallel_for(std::int64_t{groups} * tiles, threads, run);
  }
}

}  // namespace oa::attention
#endif
