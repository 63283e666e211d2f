#include "oa/attention/kernel/fused.h"

#include "oa/base/parallel.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#ifndef OA_ATTENTION_KERNEL_FUSED_TILE  // once, not once per target
#define OA_ATTENTION_KERNEL_FUSED_TILE
namespace oa::attention {

struct FusedWorker {
  float* q;                // rows x width, scaled
  float* o;                // rows x padded width
  float* p;                // rows x keys of a block
  float* sums;             // a vector a row
  float* minus_reference;  // one a row
  float* limit;
  float* k;              // a packed panel, if keys are not packed before
  float* v;              // values of a block, if they are copied
  std::uint64_t* masks;  // rows x panels of a block: allowed keys
  std::uint64_t* seen;  // bands of rows x panels of a block: keys that one of them sees
  int* panels;          // that the tile sees
  int* cursors;         // one a query: the first run that is not behind
  std::uint8_t* marks;  // one a panel
  std::uint8_t* careful;  // one a panel of a block
};

namespace {

// Queries first_query .. of heads first_head .. of one group.  Row r of the tile is
// query first_query + r % queries of head first_head + r / queries.
struct FusedTile {
  const HeadsView* heads;
  const Pattern* pattern;
  const FusedPlan* plan;
  const FusedWorker* worker;
  const float* packed;          // keys of the group, or null
  const std::uint8_t* careful;  // panels of the group whose values are not all finite
  int group;
  int first_head;
  int head_count;
  int first_query;
  int queries;
  num::View o;
  num::View log_sums;

  [[nodiscard]] int rows() const { return head_count * queries; }
};

struct PanelSource {
  const float* k;
  const float* v;
  std::ptrdiff_t k_stride;
  std::ptrdiff_t v_stride;
  int keys;
  int width;
};

constexpr double kLog2E = 1.4426950408889634;

// Tiles of a group: `together` heads at a time, their queries in `parts`.
struct TileCut {
  int together;
  int stacks;
  int parts;

  TileCut(const HeadsShape& shape, const FusedPlan& plan) {
    const int heads = shape.heads / shape.groups;
    together = std::clamp(plan.rows / std::max(1, shape.queries), 1, heads);
    stacks = (heads + together - 1) / together;
    parts = (shape.queries + plan.rows - 1) / plan.rows;
  }
  [[nodiscard]] int tiles() const { return stacks * parts; }
};

}  // namespace
}  // namespace oa::attention
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "oa/attention/kernel/fused.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include "oa/attention/kernel/fused_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using tile::Floats;
using tile::lanes;

int panel_width() {
  return tile::kVectors * lanes();
}

// Keys first .. first+panel-1, transposed: row i of `packed` has their element i.  Keys
// behind the last are zeros.
void pack_panel(const PanelSource& from, int first, int panel, float* packed) {
  const int count = std::min(panel, from.keys - first);
  const float* k = from.k + first * from.k_stride;
#if HWY_TARGET == HWY_SCALAR
  const int wide = 0;
  const int full = 0;
#else
  const hn::FixedTag<float, 4> d;
  const int wide = from.width / 4 * 4;
  const int full = count / 4 * 4;
  for (int j = 0; j < full; j += 4) {
    const float* rows = k + j * from.k_stride;
    for (int i = 0; i < wide; i += 4) {
      const auto r0 = hn::LoadU(d, rows + i);
      const auto r1 = hn::LoadU(d, rows + from.k_stride + i);
      const auto r2 = hn::LoadU(d, rows + 2 * from.k_stride + i);
      const auto r3 = hn::LoadU(d, rows + 3 * from.k_stride + i);
      const auto even_low = hn::InterleaveLower(d, r0, r2);   // 00 20 01 21
      const auto even_high = hn::InterleaveUpper(d, r0, r2);  // 02 22 03 23
      const auto odd_low = hn::InterleaveLower(d, r1, r3);
      const auto odd_high = hn::InterleaveUpper(d, r1, r3);
      float* to = packed + i * panel + j;
      hn::StoreU(hn::InterleaveLower(d, even_low, odd_low), d, to);
      hn::StoreU(hn::InterleaveUpper(d, even_low, odd_low), d, to + panel);
      hn::StoreU(hn::InterleaveLower(d, even_high, odd_high), d, to + 2 * panel);
      hn::StoreU(hn::InterleaveUpper(d, even_high, odd_high), d, to + 3 * panel);
    }
  }
#endif
  for (int i = 0; i < from.width; ++i) {
    float* to = packed + i * panel;
    for (int j = i < wide ? full : 0; j < count; ++j) {
      to[j] = k[j * from.k_stride + i];
    }
    std::fill(to + count, to + panel, 0.0F);
  }
}

// Whether values of these keys are not all finite: 0 times each is summed up.
bool needs_care(const PanelSource& from, int first, int panel) {
  const Floats d;
  const int count = std::min(panel, from.keys - first);
  auto sum = hn::Zero(d);
  float rest = 0.0F;
  for (int j = 0; j < count; ++j) {
    const float* v = from.v + (first + j) * from.v_stride;
    int i = 0;
    for (; i + lanes() <= from.width; i += lanes()) {
      sum = hn::MulAdd(hn::LoadU(d, v + i), hn::Zero(d), sum);
    }
    for (; i < from.width; ++i) {
      rest += v[i] * 0.0F;
    }
  }
  return !(hn::GetLane(hn::SumOfLanes(d, sum)) + rest == 0.0F);
}

void prepare_panel(const PanelSource& from,
                   int first,
                   int panel,
                   bool all_seen,
                   float* packed,
                   std::uint8_t* careful) {
  pack_panel(from, first, panel, packed);
  *careful = !all_seen && needs_care(from, first, panel) ? 1 : 0;
}

// ---- one tile

PanelSource source_of(const HeadsView& heads, int group) {
  const int width = heads.width();
  return {heads.k.data + group * width,
          heads.v.data + group * width,
          heads.k.stride,
          heads.v.stride,
          heads.k.rows,
          width};
}

int padded_width(int width) {
  return (width + lanes() - 1) / lanes() * lanes();
}

void begin_rows(const FusedTile& t) {
  const FusedWorker& w = *t.worker;
  const int width = t.heads->width();
  const auto factor = static_cast<float>(static_cast<double>(t.heads->scale) * kLog2E);
  for (int r = 0; r < t.rows(); ++r) {
    const float* q = t.heads->q.row(t.first_query + r % t.queries) +
                     (t.first_head + r / t.queries) * width;
    for (int i = 0; i < width; ++i) {
      w.q[r * width + i] = factor * q[i];
    }
    w.minus_reference[r] = 0.0F;
    w.limit[r] = tile::kUnset;
  }
  std::fill(w.sums, w.sums + t.rows() * lanes(), 0.0F);
  std::fill(w.o, w.o + t.rows() * padded_width(width), 0.0F);
}

// Lists the panels that some query of the tile sees, and returns their number.
int list_panels(const FusedTile& t) {
  const FusedWorker& w = *t.worker;
  const int panel = t.plan->panel;
  const int last = t.first_query + t.queries - 1;
  int count = 0;
  if (t.pattern->is_band()) {
    const int begin = t.pattern->band_row(t.first_query).begin;
    const int end = t.pattern->band_row(last).end;
    for (int p = begin / panel; p * panel < end; ++p) {
      w.panels[count++] = p;
    }
    return count;
  }
  const int all = (t.pattern->keys() + panel - 1) / panel;
  std::fill(w.marks, w.marks + all, std::uint8_t{0});
  for (int q = t.first_query; q <= last; ++q) {
    w.cursors[q - t.first_query] = 0;
    for (const Run& run : t.pattern->runs(q)) {
      std::fill(w.marks + run.begin / panel,
                w.marks + (run.end - 1) / panel + 1,
                std::uint8_t{1});
    }
  }
  for (int p = 0; p < all; ++p) {
    if (w.marks[p] != 0) {
      w.panels[count++] = p;
    }
  }
  return count;
}

// Bits begin-first .. end-first-1, as far as they are of the panel.
std::uint64_t bits_of(Run run, int first, int panel) {
  const int begin = std::max(run.begin - first, 0);
  const int end = std::min(run.end - first, panel);
  if (begin >= end) {
    return 0;
  }
  return ~std::uint64_t{0} >> (64 - (end - begin)) << begin;
}

std::uint64_t mask_of(const FusedTile& t, int i, int first) {
  const int query = t.first_query + i;
  const int panel = t.plan->panel;
  if (t.pattern->is_band()) {
    return bits_of(t.pattern->band_row(query), first, panel);
  }
  const auto runs = t.pattern->runs(query);
  int& cursor = t.worker->cursors[i];
  while (cursor < std::ssize(runs) &&
         runs[static_cast<std::size_t>(cursor)].end <= first) {
    ++cursor;
  }
  std::uint64_t mask = 0;
  for (auto run = runs.begin() + cursor;
       run != runs.end() && run->begin < first + panel;
       ++run) {
    mask |= bits_of(*run, first, panel);
  }
  return mask;
}

// Whether every query of the tile sees every key of the panel, if that is easy to tell.
bool all_see(const FusedTile& t, int first) {
  if (!t.pattern->is_band()) {
    return false;
  }
  return t.pattern->band_row(t.first_query + t.queries - 1).begin <= first &&
         first + t.plan->panel <= t.pattern->band_row(t.first_query).end;
}

struct Bands {
  int rows;
  int count;

  // Rows are spread evenly, 49 = 4 * 6 + 5 * 5: a tile of one row would wait for the
  // latency of its few multiply-adds.
  explicit Bands(int all) : rows(all), count((all + tile::kRows - 1) / tile::kRows) {}
  [[nodiscard]] int begin(int band) const { return band * rows / count; }
};

// The weights of one panel, the `index`th of its block, for all rows.
void weigh_panel(
    const FusedTile& t, const Bands& bands, int first, int index, const float* packed) {
  const FusedWorker& w = *t.worker;
  const FusedPlan& plan = *t.plan;
  const int panels = plan.keys / plan.panel;
  const int width = t.heads->width();
  const std::uint64_t whole = ~std::uint64_t{0} >> (64 - plan.panel);
  const bool all = all_see(t, first);
  const bool wide = plan.panel == panel_width();
  if (!all || !wide) {
    for (int i = 0; i < t.queries; ++i) {
      const std::uint64_t mask = mask_of(t, i, first);
      for (int h = 0; h < t.head_count; ++h) {
        w.masks[(h * t.queries + i) * panels + index] = mask;
      }
    }
  }
  for (int band = 0; band < bands.count; ++band) {
    const int row = bands.begin(band);
    const int rows = bands.begin(band + 1) - row;
    std::uint64_t some = whole;
    std::uint64_t every = whole;
    if (!all || !wide) {
      some = 0;
      for (int r = row; r < row + rows; ++r) {
        some |= w.masks[r * panels + index];
        every &= w.masks[r * panels + index];
      }
    }
    w.seen[band * panels + index] = some;
    if (some == 0) {
      continue;
    }
    float* p = w.p + row * plan.keys + index * plan.panel;
    const tile::Score score{w.q + row * width,
                            width,
                            packed,
                            plan.panel,
                            width,
                            p,
                            plan.keys,
                            w.minus_reference + row,
                            w.limit + row,
                            w.sums + row * lanes(),
                            w.masks + row * panels + index,
                            panels,
                            0,
                            w.p + row * plan.keys,
                            w.o + row * padded_width(width),
                            padded_width(width)};
    if (every == whole && wide) {
      tile::kFull[static_cast<std::size_t>(rows - 1)](score);
      continue;
    }
    const int first_vector = std::countr_zero(some) / lanes();
    const int vectors = (63 - std::countl_zero(some)) / lanes() - first_vector + 1;
    tile::Score part = score;
    part.first_bit = first_vector * lanes();
    part.k += part.first_bit;
    part.p += part.first_bit;
    tile::kMasked[static_cast<std::size_t>((rows - 1) * tile::kVectors + vectors - 1)](
        part);
  }
}

// o += p v without the weights that are 0, for values that are not all finite.
void accumulate_with_care(const tile::Product& t, int rows, int width) {
  for (int r = 0; r < rows; ++r) {
    for (int j = 0; j < t.depth; ++j) {
      const float weight = t.a[r * t.a_stride + j];
      if (weight != 0.0F) {
        for (int i = 0; i < width; ++i) {
          t.c[r * t.c_stride + i] += weight * t.b[j * t.b_stride + i];
        }
      }
    }
  }
}

// Values of `count` panels, one behind the other and padded with zeros.
void copy_values(const FusedTile& t, const int* panels, int count) {
  const PanelSource from = source_of(*t.heads, t.group);
  const int padded = padded_width(from.width);
  const int panel = t.plan->panel;
  for (int b = 0; b < count; ++b) {
    const int first = panels[b] * panel;
    float* to = t.worker->v + b * panel * padded;
    for (int j = 0; j < std::min(panel, from.keys - first); ++j, to += padded) {
      std::memcpy(to,
                  from.v + (first + j) * from.v_stride,
                  static_cast<std::size_t>(from.width) * sizeof(float));
    }
  }
}

// Whether the keys seen of one panel go on in the next.
bool follows(std::uint64_t before, std::uint64_t next, int panel) {
  return (before >> (panel - 1) & next & 1) != 0;
}

// o += p v over panels of a block, for all rows.
void add_values(const FusedTile& t, const Bands& bands, const int* panels, int count) {
  const FusedWorker& w = *t.worker;
  const FusedPlan& plan = *t.plan;
  const PanelSource from = source_of(*t.heads, t.group);
  const int most = plan.keys / plan.panel;
  const int padded = padded_width(from.width);
  if (plan.copies) {
    copy_values(t, panels, count);
  }
  for (int band = 0; band < bands.count; ++band) {
    const int row = bands.begin(band);
    const int rows = bands.begin(band + 1) - row;
    const std::uint64_t* seen = w.seen + band * most;
    for (int b = 0; b < count;) {
      if (seen[b] == 0) {
        ++b;
        continue;
      }
      // Panels that follow each other, up to one with care, make one product.
      const int first = b;
      const int begin = b * plan.panel + std::countr_zero(seen[b]);
      const bool careful = w.careful[b] != 0;
      for (++b; b < count && follows(seen[b - 1], seen[b], plan.panel) &&
                panels[b] == panels[b - 1] + 1 && (w.careful[b] != 0) == careful;
           ++b) {
      }
      const int end = (b - 1) * plan.panel + 64 - std::countl_zero(seen[b - 1]);
      const std::ptrdiff_t stride = plan.copies ? padded : from.v_stride;
      const float* v =
          plan.copies
              ? w.v + begin * stride
              : from.v + (panels[first] * plan.panel + (begin - first * plan.panel)) *
                             stride;
      const tile::Product product{w.p + row * plan.keys + begin,
                                  plan.keys,
                                  v,
                                  stride,
                                  w.o + row * padded,
                                  padded,
                                  end - begin};
      if (careful) {
        accumulate_with_care(product, rows, from.width);
      } else {
        tile::multiply(product, rows, from.width);
      }
    }
  }
}

void end_rows(const FusedTile& t) {
  const Floats d;
  const FusedWorker& w = *t.worker;
  const int width = t.heads->width();
  const int padded = padded_width(width);
  for (int r = 0; r < t.rows(); ++r) {
    const int query = t.first_query + r % t.queries;
    const int head = t.first_head + r / t.queries;
    const float sum = hn::GetLane(hn::SumOfLanes(d, hn::Load(d, w.sums + r * lanes())));
    const bool seen = sum != 0.0F;
    const float share = seen ? 1.0F / sum : 0.0F;
    float* o = t.o.row(query) + head * width;
    for (int i = 0; i < width; ++i) {
      o[i] = share * w.o[r * padded + i];
    }
    if (t.log_sums.data != nullptr) {
      const double log2_sum = std::log2(static_cast<double>(sum)) -
                              static_cast<double>(w.minus_reference[r]);
      t.log_sums(head, query) = seen ? static_cast<float>(log2_sum / kLog2E)
                                     : -std::numeric_limits<float>::infinity();
    }
  }
}

void run_tile(const FusedTile& t) {
  const FusedWorker& w = *t.worker;
  const FusedPlan& plan = *t.plan;
  const int width = t.heads->width();
  const Bands bands(t.rows());
  begin_rows(t);
  const int count = list_panels(t);
  const int most = plan.keys / plan.panel;
  for (int begin = 0; begin < count; begin += most) {
    const int* panels = w.panels + begin;
    const int some = std::min(most, count - begin);
    for (int b = 0; b < some; ++b) {
      const int first = panels[b] * plan.panel;
      const float* packed = t.packed + static_cast<std::ptrdiff_t>(first) * width;
      if (t.packed == nullptr) {
        prepare_panel(source_of(*t.heads, t.group),
                      first,
                      plan.panel,
                      all_see(t, first),
                      w.k,
                      w.careful + b);
        packed = w.k;
      } else {
        w.careful[b] = t.careful[panels[b]];
      }
      weigh_panel(t, bands, first, b, packed);
    }
    add_values(t, bands, panels, some);
  }
  end_rows(t);
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

int panels_of(int keys, int panel) {
  return (keys + panel - 1) / panel;
}

template <class T>
T* piece(Arena& arena, std::ptrdiff_t count) {
  return static_cast<T*>(arena.allocate(static_cast<std::size_t>(count) * sizeof(T)));
}

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
  w.cursors = piece<int>(arena, rows);
  w.marks = piece<std::uint8_t>(arena, all);
  w.careful = piece<std::uint8_t>(arena, panels);
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
  const FusedPlan plan{
      128, 256, widest, static_cast<int>(together), ragged || shape.groups > 1};
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
  const TileCut cut(shape, plan);
  const int panels = panels_of(shape.keys, plan.panel);
  const std::ptrdiff_t panel_size = std::ptrdiff_t{plan.panel} * shape.width;
  const bool all_seen = pattern.is_band() && shape.queries > 0 &&
                        pattern.band_row(0).end == shape.keys &&
                        pattern.band_row(shape.queries - 1).begin == 0;
  const int threads = static_cast<int>(scratch.workers().size());
  const int heads_per_group = shape.heads / shape.groups;
  const auto first_query = [&](int part) {
    // Patterns of blocks have edges at multiples of powers of 2, bands anywhere.
    return pattern.is_band()
               ? static_cast<int>(std::int64_t{part} * shape.queries / cut.parts)
               : std::min(part * plan.rows, shape.queries);
  };
  for (int first = 0; first < shape.groups; first += std::max(1, plan.packed)) {
    const int groups = std::min(std::max(1, plan.packed), shape.groups - first);
    if (plan.packed > 0) {
      parallel_for(std::int64_t{groups} * panels, threads, [&](std::int64_t job, int) {
        const int group = first + static_cast<int>(job / panels);
        const int panel = static_cast<int>(job % panels);
        const PanelSource from{heads.k.data + group * shape.width,
                               heads.v.data + group * shape.width,
                               heads.k.stride,
                               heads.v.stride,
                               shape.keys,
                               shape.width};
        HWY_DYNAMIC_DISPATCH(prepare_panel)
        (from,
         panel * plan.panel,
         plan.panel,
         all_seen,
         scratch.packed() + job * panel_size,
         scratch.careful() + job);
      });
    }
    const int tiles = cut.tiles();
    parallel_for(
        std::int64_t{groups} * tiles, threads, [&](std::int64_t job, int worker) {
          const int index = static_cast<int>(job / tiles);
          // The last queries of a causal pattern see most: they come first.
          const int part = cut.parts - 1 - static_cast<int>(job % cut.parts);
          const int stack = static_cast<int>(job % tiles) / cut.parts;
          const int head = stack * cut.together;
          HWY_DYNAMIC_DISPATCH(run_tile)
          (FusedTile{&heads,
                     &pattern,
                     &plan,
                     &scratch.workers()[static_cast<std::size_t>(worker)],
                     plan.packed > 0 ? scratch.packed() + index * panels * panel_size
                                     : nullptr,
                     scratch.careful() + index * panels,
                     first + index,
                     (first + index) * heads_per_group + head,
                     std::min(cut.together, heads_per_group - head),
                     first_query(part),
                     first_query(part + 1) - first_query(part),
                     o,
                     log_sums});
        });
  }
}

}  // namespace oa::attention
#endif
