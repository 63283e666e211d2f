#include "survey/kernel/fused/flash1.h"

#include "survey/kernel/fused/tile.h"

#include <algorithm>

#ifndef OA_ATTENTION_KERNEL_FLASH1  // once, not once per target
#define OA_ATTENTION_KERNEL_FLASH1
namespace oa::attention {
namespace {

// The state of each query of each head between two blocks of keys.
struct RowState {
  std::span<float> minus_reference;
  std::span<float> sums;
  std::ptrdiff_t queries;
};

}  // namespace
}  // namespace oa::attention
#endif

#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include "survey/kernel/fused/forward-inl.h"

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

using panels::Bands;
using tile::lanes;

void load_state(const FusedTile& t,
                const Bands& bands,
                int band,
                const RowState& state) {
  const FusedWorker& w = *t.worker;
  const int width = t.v.width;
  forward::for_rows(t, bands, band, [&](int row, int head, int query) {
    const std::ptrdiff_t at = head * state.queries + query;
    const float sum = state.sums[at];
    w.minus_reference[row] = state.minus_reference[at];
    w.limit[row] = sum == 0.0F ? tile::kUnset : tile::kSlack - w.minus_reference[row];
    w.sums[row * lanes()] = sum;
    panels::scale_row(t.o.row(query) + head * width,
                      sum,
                      width,
                      w.o.data() + row * panels::padded(width));
  });
  w.started[band] = 1;
}

void store_state(const FusedTile& t,
                 const Bands& bands,
                 int band,
                 const RowState& state) {
  const FusedWorker& w = *t.worker;
  forward::for_rows(t, bands, band, [&](int row, int head, int query) {
    const hwy::HWY_NAMESPACE::Vec<tile::Floats> sums =
        hwy::HWY_NAMESPACE::Load(tile::Floats(), w.sums.data() + row * lanes());
    const std::ptrdiff_t at = head * state.queries + query;
    state.minus_reference[at] = w.minus_reference[row];
    state.sums[at] = hwy::HWY_NAMESPACE::GetLane(
        hwy::HWY_NAMESPACE::SumOfLanes(tile::Floats(), sums));
  });
}

// Processes the keys of block `round` for one tile.
void run_round(const FusedTile& t, int round, const RowState& state) {
  const int all = forward::list_panels(t);
  const std::span<const int> panels = t.worker->panels_of(0, all);
  const auto first_from = [&](int panel) {
    return static_cast<int>(std::ranges::lower_bound(panels, panel) - panels.begin());
  };
  const int first = first_from(round * t.rows.panels);
  const int last = first_from((round + 1) * t.rows.panels);
  if (first == last) {
    return;
  }
  const Bands bands(t.rows.rows());
  forward::begin_tile(t, bands.count);
  for (int band = 0; band < bands.count; ++band) {
    forward::begin_band(t, bands, band);
    load_state(t, bands, band, state);
  }
  const int count = last - first;
  forward::weigh_block(t, bands, first, count, false);
  forward::BlockSums sums(t, bands, t.worker->panels_of(first, count));
  for (int band = 0; band < bands.count; ++band) {
    sums.add(band);
    forward::end_band(t, bands, band);
    store_state(t, bands, band, state);
  }
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(run_round);

}  // namespace

Flash1Scratch::Flash1Scratch(const HeadsShape& shape,
                             const FusedPlan& plan,
                             int threads,
                             Arena& arena)
    : fused_(shape, plan, threads, arena),
      minus_reference_(
          piece<float>(arena, std::ptrdiff_t{shape.heads} * shape.queries)),
      sums_(piece<float>(arena, std::ptrdiff_t{shape.heads} * shape.queries)) {}

void flash1_forward(const HeadsView& heads,
                    const Pattern& pattern,
                    num::View o,
                    num::View log_sums,
                    const Flash1Scratch& scratch) {
  const RowState state{scratch.minus_reference(), scratch.sums(), heads.q.rows};
  std::ranges::fill(state.minus_reference, 0.0F);
  std::ranges::fill(state.sums, 0.0F);
  for (int i = 0; i < o.rows; ++i) {
    std::fill_n(o.row(i), o.cols, 0.0F);
    for (int h = 0; h < heads.heads && log_sums.data != nullptr; ++h) {
      log_sums(h, i) = -std::numeric_limits<float>::infinity();
    }
  }
  const int rounds = panels_of(heads.k.rows, scratch.fused().plan().keys);
  for_fused_tiles(heads,
                  pattern,
                  o,
                  log_sums,
                  scratch.fused(),
                  rounds,
                  [&](const FusedTile& tile, int round) {
                    HWY_DYNAMIC_DISPATCH(run_round)(tile, round, state);
                  });
}

}  // namespace oa::attention
#endif
