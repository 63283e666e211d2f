#include "oa/base/parallel.h"
#include "survey/kernel/fused/tile.h"

#include <algorithm>
#include <cassert>

namespace oa::attention {
namespace {

using RunTile = std::function<void(const FusedTile&, int)>;

// The tiles of groups whose keys are packed together, before all tiles.
class Tiles {
 public:
  Tiles(const HeadsView& heads,
        const Pattern& pattern,
        num::View o,
        num::View log_sums,
        const FusedScratch& scratch,
        int rounds)
      : heads_(heads),
        pattern_(pattern),
        o_(o),
        log_sums_(log_sums),
        scratch_(scratch),
        plan_(scratch.plan()),
        rounds_(rounds),
        shape_(HeadsShape::of(heads)),
        panel_floats_(std::ptrdiff_t{plan_.panel} * shape_.width),
        cut_(shape_,
             pattern,
             tile_rows(plan_, pattern),
             plan_.rows % kBandRows == 0 ? kMinQueries : plan_.rows),
        threads_(static_cast<int>(scratch.workers().size())),
        panels_(panels_of(shape_.keys, plan_.panel)),
        all_seen_(sees_whole_panels()) {}

  void run(int first_group, int groups, const RunTile& use) {
    first_group_ = first_group;
    if (plan_.packed > 0) {
      pack_before(groups);
    }
    const std::int64_t jobs = cut_.tiles();
    for (int round = 0; round < rounds_; ++round) {
      parallel_stretches(groups * jobs, threads_, [&](std::int64_t job, int worker) {
        const auto group = static_cast<int>(job / jobs);
        // Last queries of a causal pattern see most keys: their tiles come first.
        const auto last = static_cast<int>(jobs - 1 - job % jobs);
        use(prepared(group, tile(group, last), worker), round);
      });
    }
  }

 private:
  // True if every tile sees all keys of a panel or no key.
  [[nodiscard]] bool sees_whole_panels() const {
    if (!pattern_.is_band()) {
      return pattern_.grain() >= std::max(cut_.rows, plan_.panel);
    }
    return shape_.queries > 0 && pattern_.band_row(0).end == shape_.keys &&
           pattern_.band_row(shape_.queries - 1).begin == 0;
  }

  [[nodiscard]] TileRows tile(int group, int i) const {
    return cut_.tile(pattern_, first_group_ + group, i);
  }

  // Returns the range of panels that a tile sees.
  [[nodiscard]] Run seen_panels(const TileRows& rows) const {
    if (!pattern_.is_band()) {
      return {0, panels_};
    }
    const int begin = pattern_.band_row(rows.first_query).begin / plan_.panel;
    const int end = pattern_.band_row(rows.first_query + rows.queries - 1).end;
    return {begin, std::max(begin, panels_of(end, plan_.panel))};
  }

  [[nodiscard]] HeadRows keys_of(int group) const {
    return {heads_.k, first_group_ + group, shape_.width};
  }
  [[nodiscard]] HeadRows values_of(int group) const {
    return {heads_.v, first_group_ + group, shape_.width};
  }

  void pack(int group, int panel) const {
    const std::ptrdiff_t at = std::ptrdiff_t{group} * panels_ + panel;
    pack_fused_panel(keys_of(group),
                     values_of(group),
                     panel * plan_.panel,
                     plan_.panel,
                     all_seen_,
                     {scratch_.packed() + at * panel_floats_, scratch_.careful() + at});
  }

  void pack_before(int groups) const {
    parallel_stretches(
        std::int64_t{groups} * panels_, threads_, [&](std::int64_t job, int) {
          pack(static_cast<int>(job / panels_), static_cast<int>(job % panels_));
        });
  }

  [[nodiscard]] FusedTile prepared(int group, TileRows rows, int worker) const {
    const FusedWorker& w = scratch_.workers()[static_cast<std::size_t>(worker)];
    const std::ptrdiff_t before = std::ptrdiff_t{group} * panels_;
    rows.panel = plan_.panel;
    rows.panels = plan_.keys / plan_.panel;
    rows.masks = w.masks;
    rows.seen = w.seen;
    return {rows,
            &heads_,
            keys_of(group),
            values_of(group),
            &plan_,
            &w,
            plan_.packed > 0 ? scratch_.packed() + before * panel_floats_ : nullptr,
            panel_floats_,
            scratch_.careful() + before,
            o_,
            log_sums_};
  }

  const HeadsView& heads_;
  const Pattern& pattern_;
  num::View o_;
  num::View log_sums_;
  const FusedScratch& scratch_;
  const FusedPlan& plan_;
  int rounds_;
  HeadsShape shape_;
  std::ptrdiff_t panel_floats_;  // size of a panel
  TileCut cut_;
  int threads_;
  int panels_;     // of a group
  bool all_seen_;  // every tile sees all keys of a panel, or no key
  int first_group_ = 0;
};

}  // namespace

void for_fused_tiles(const HeadsView& heads,
                     const Pattern& pattern,
                     num::View o,
                     num::View log_sums,
                     const FusedScratch& scratch,
                     int rounds,
                     const RunTile& run) {
  const HeadsShape shape = HeadsShape::of(heads);
  assert(heads.heads % heads.groups == 0 && heads.q.cols % heads.heads == 0);
  assert(heads.k.cols == heads.groups * shape.width &&
         num::same_shape(heads.k, heads.v));
  assert(num::same_shape(heads.q, o) && pattern.queries() == shape.queries &&
         pattern.keys() == shape.keys);
  const int together = std::max(1, scratch.plan().packed);
  Tiles tiles(heads, pattern, o, log_sums, scratch, rounds);
  for (int first = 0; first < shape.groups; first += together) {
    tiles.run(first, std::min(together, shape.groups - first), run);
  }
}

}  // namespace oa::attention
