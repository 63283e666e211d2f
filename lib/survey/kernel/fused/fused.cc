#include "survey/kernel/fused/fused.h"

#include "survey/kernel/fused/tile.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include "survey/kernel/fused/forward-inl.h"

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

int panel_width() {
  return panels::widest();
}

void prepare_keys(const HeadRows& k,
                  const HeadRows& v,
                  int first,
                  int panel,
                  bool all_seen,
                  const PackedPanel& to) {
  forward::prepare_panel(k, v, first, panel, all_seen, to);
}

void run_tile(const FusedTile& t) {
  forward::run_tile(t);
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(panel_width);
HWY_EXPORT(prepare_keys);
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
  if (plan.packed == 0) {
    w.k = piece<float>(arena, plan.panel * shape.width);
  }
  if (plan.copies) {
    w.v = piece<float>(arena, plan.keys * width);
  }
  w.masks = piece<std::uint64_t>(arena, rows * panels);
  w.seen = piece<std::uint64_t>(arena, rows * panels);
  w.panels = piece<int>(arena, all);
  w.marks = piece<PanelMark>(arena, all);
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
  const FusedPlan plan{132, 256, widest, static_cast<int>(together), ragged};
  const auto fits = [&](const FusedPlan& p) {
    return bytes == 0 || scratch_bytes(shape, p) <= bytes;
  };
  if (fits(plan)) {
    return plan;
  }
  // Reduces the panel's width first, then keys, then queries.
  // Fewer queries cost most, because each tile packs all keys again.
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

FusedPlan square_plan(const HeadsShape& shape, int block) {
  assert(block >= num::kLane && std::has_single_bit(static_cast<unsigned>(block)));
  FusedPlan plan = plan_fused(shape);
  plan.rows = block;
  plan.keys = block;
  plan.panel = std::min(plan.panel, block);
  return plan;
}

int tile_rows(const FusedPlan& plan, const Pattern& pattern) {
  return pattern.is_band() ? plan.rows
                           : static_cast<int>(std::bit_floor(
                                 static_cast<unsigned>(std::min(plan.rows, 64))));
}

FusedScratch::FusedScratch(const HeadsShape& shape,
                           const FusedPlan& plan,
                           int threads,
                           Arena& arena)
    : plan_(plan) {
  assert(plan.panel <= HWY_DYNAMIC_DISPATCH(panel_width)() &&
         plan.keys % plan.panel == 0);
  const std::size_t begin = arena.mark();
  const std::ptrdiff_t panels = panels_of(shape.keys, plan.panel);
  if (plan.packed > 0) {
    packed_ =
        piece<float>(arena, plan.packed * panels * plan.panel * shape.width).data();
    careful_ = piece<std::uint8_t>(arena, plan.packed * panels).data();
  }
  workers_ = pieces<FusedWorker>(arena, threads, [&](int i) {
    const FusedWorker worker = worker_of(shape, plan_, arena);
    if (i == 0) {
      bytes_of_thread_ = arena.mark() - begin;
    }
    return worker;
  });
}

void pack_fused_panel(const HeadRows& k,
                      const HeadRows& v,
                      int first,
                      int panel,
                      bool all_seen,
                      const PackedPanel& to) {
  HWY_DYNAMIC_DISPATCH(prepare_keys)(k, v, first, panel, all_seen, to);
}

void fused_forward(const HeadsView& heads,
                   const Pattern& pattern,
                   num::View o,
                   num::View log_sums,
                   const FusedScratch& scratch) {
  for_fused_tiles(heads,
                  pattern,
                  o,
                  log_sums,
                  scratch,
                  1,
                  [&](const FusedTile& tile, int /*round*/) {
                    HWY_DYNAMIC_DISPATCH(run_tile)(tile);
                  });
}

}  // namespace oa::attention
#endif
