#include "oa/base/parallel.h"
#include "survey/kernel/fused/tile.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace oa::attention {
namespace {

using RunTile = std::function<void(const FusedTile&, int)>;

constexpr std::uint8_t kNotPacked = 2;  // `careful` of a panel not yet packed

// The tiles of groups whose keys are packed together.  Usually all keys are packed
// before the first tile.  But if each tile of a thread needs only a few new keys,
// the thread packs these keys before the tile, prefetched during the previous tile.
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
        all_seen_(sees_whole_panels()) {
    find_runs();
  }

  void run(int first_group, int groups, const RunTile& use) {
    first_group_ = first_group;
    if (plan_.packed > 0) {
      pack_before(groups);
    }
    const std::int64_t jobs = later_ ? runs_ : cut_.tiles();
    for (int round = 0; round < rounds_; ++round) {
      parallel_stretches(groups * jobs, threads_, [&](std::int64_t job, int worker) {
        const auto group = static_cast<int>(job / jobs);
        // Last queries of a causal pattern see most keys: their tiles come first.
        const auto last = static_cast<int>(jobs - 1 - job % jobs);
        if (later_) {
          run_tiles(group, last, worker, use);
        } else {
          const std::int64_t next =
              job % jobs + 1;  // of the same thread, except at ends
          NextTile after{};
          if (next < jobs && rounds_ == 1) {
            after = expected(tile(group, static_cast<int>(jobs - 1 - next)));
          }
          use(prepared(group, tile(group, last), after, worker), round);
        }
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

  // Decides whether tiles pack keys themselves,
  // and gives each thread a run of consecutive tiles.
  void find_runs() {
    if (plan_.packed == 0 || rounds_ > 1 || !pattern_.is_band() ||
        shape_.queries == 0) {
      return;
    }
    const Run seen = pattern_.band_row(shape_.queries / 2);
    const bool few = std::int64_t{4} * (seen.end - seen.begin) < shape_.keys;
    const bool grows = 2 * seen_panels(tile(0, 0)).end <= panels_;
    later_ = few || (grows && threads_ == 1);
    runs_ = threads_ == 1 ? 1 : std::min(4 * threads_, cut_.parts);
    // Panels of two runs are packed before; a panel must not be in three runs.
    for (int i = 1; i < runs_ - 1 && later_; ++i) {
      later_ = shared(i).end <= shared(i + 1).begin;
    }
  }

  [[nodiscard]] int first_part(int run) const {
    return static_cast<int>(std::int64_t{run} * cut_.parts / runs_);
  }
  // Returns the panels that runs i - 1 and i both see.
  [[nodiscard]] Run shared(int i) const {
    const Run above = seen_panels(tile(0, first_part(i)));
    const Run below = seen_panels(tile(0, first_part(i) - 1));
    return {above.begin, std::max(above.begin, below.end)};
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
                     {scratch_.packed() + at * panel_floats_,
                      scratch_.careful() + at,
                      scratch_.longest_keys() + at});
  }

  void pack_before(int groups) const {
    if (!later_) {
      parallel_stretches(
          std::int64_t{groups} * panels_, threads_, [&](std::int64_t job, int) {
            pack(static_cast<int>(job / panels_), static_cast<int>(job % panels_));
          });
      return;
    }
    std::fill_n(scratch_.careful(), std::ptrdiff_t{groups} * panels_, kNotPacked);
    const int edges = runs_ - 1;
    parallel_stretches(
        std::int64_t{groups} * edges, threads_, [&](std::int64_t job, int) {
          const Run panels = shared(static_cast<int>(job % edges) + 1);
          for (int p = panels.begin; p < panels.end; ++p) {
            pack(static_cast<int>(job / edges), p);
          }
        });
  }

  void run_tiles(int group, int run, int worker, const RunTile& use) const {
    const std::uint8_t* state = scratch_.careful() + std::ptrdiff_t{group} * panels_;
    for (int first = 0; first < cut_.tiles(); first += cut_.parts) {  // groups of heads
      for (int part = first_part(run); part < first_part(run + 1); ++part) {
        const TileRows rows = tile(group, first + part);
        const Run panels = seen_panels(rows);
        for (int p = panels.begin; p < panels.end; ++p) {
          if (state[p] == kNotPacked) {
            pack(group, p);
          }
        }
        NextTile after{};
        if (part + 1 < first_part(run + 1)) {
          after = expected(tile(group, first + part + 1));
          const int new_ones =
              after.panels.end - std::max(after.panels.begin, panels.end);
          while (after.to_pack < new_ones &&
                 state[after.panels.end - 1 - after.to_pack] == kNotPacked) {
            ++after.to_pack;
          }
        }
        use(prepared(group, rows, after, worker), 0);
      }
    }
  }

  [[nodiscard]] NextTile expected(const TileRows& rows) const {
    Run panels = seen_panels(rows);
    if (!pattern_.is_band()) {
      const auto runs = pattern_.runs(rows.first_query);
      panels.begin = runs.empty() ? panels.end : runs.front().begin / plan_.panel;
    }
    return {heads_.q.row(rows.first_query) + rows.first_head * shape_.width,
            rows.heads * shape_.width,
            rows.queries,
            panels,
            0};
  }

  [[nodiscard]] FusedTile prepared(int group,
                                   TileRows rows,
                                   const NextTile& next,
                                   int worker) const {
    const FusedWorker& w = scratch_.workers()[static_cast<std::size_t>(worker)];
    const std::ptrdiff_t before = std::ptrdiff_t{group} * panels_;
    rows.panel = plan_.panel;
    rows.panels = plan_.keys / plan_.panel;
    rows.masks = w.masks;
    rows.seen = w.seen;
    float longest_key = std::numeric_limits<float>::infinity();
    if (plan_.packed > 0) {
      const Run panels = seen_panels(rows);
      longest_key = 0.0F;
      for (int p = panels.begin; p < panels.end; ++p) {
        longest_key = std::max(longest_key, scratch_.longest_keys()[before + p]);
      }
    }
    return {rows,
            &heads_,
            keys_of(group),
            values_of(group),
            &plan_,
            &w,
            plan_.packed > 0 ? scratch_.packed() + before * panel_floats_ : nullptr,
            panel_floats_,
            scratch_.careful() + before,
            longest_key,
            next,
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
  bool later_ = false;
  int runs_ = 1;
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
