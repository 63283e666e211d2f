#include "survey/kernel/fused/threshold.h"

#include "survey/kernel/fused/tile.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numbers>

#ifndef OA_ATTENTION_KERNEL_THRESHOLD  // once, not once per target
#define OA_ATTENTION_KERNEL_THRESHOLD
namespace oa::attention {
namespace {

struct ThresholdTile {
  const FusedTile* tile;
  float tau;    // in base 2
  float* tops;  // rows x visible panels: the largest logit of each
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

namespace hn = hwy::HWY_NAMESPACE;
using panels::Bands;
using tile::Floats;
using tile::lanes;

// Stores the logits q k' of R rows and the keys of a panel.
template <int R>
void store_logits(const tile::Score& t) {
  tile::Vector s[R][tile::kVectors];
  tile::dot(t.q, t.q_stride, t.k, t.k_stride, t.depth, tile::kNoStart, s);
  OA_UNROLL for (int r = 0; r < R; ++r) {
    OA_UNROLL for (int v = 0; v < tile::kVectors; ++v) {
      hn::StoreU(s[r][v], Floats(), t.p + r * t.p_stride + v * lanes());
    }
  }
}

constexpr auto kLogits = tile::function_table<tile::ScoreFunction, tile::kRows>(
    [](auto i) -> tile::ScoreFunction { return &store_logits<i + 1>; });

// Computes the logits of a band and panel `index` of its block, equal in both passes.
void find_logits(
    const FusedTile& t, const Bands& bands, int band, int index, const float* packed) {
  const FusedWorker& w = *t.worker;
  const FusedPlan& plan = *t.plan;
  const int row = bands.begin(band);
  tile::Score score{};
  score.q = w.q.data() + row * t.k.width;
  score.q_stride = t.k.width;
  score.k = packed;
  score.k_stride = plan.panel;
  score.depth = t.k.width;
  score.p = w.p.data() + row * plan.keys + index * plan.panel;
  score.p_stride = plan.keys;
  kLogits[static_cast<std::size_t>(bands.size(band) - 1)](score);
}

// Returns the largest visible logit of a row.
float top_of(const FusedTile& t, int row, int index) {
  const Floats d;
  const float* p = t.worker->p.data() + row * t.plan->keys + index * t.plan->panel;
  const std::uint64_t mask = t.rows.masks[row * t.rows.panels + index];
  const auto lowest = hn::Set(d, std::numeric_limits<float>::lowest());
  auto top = lowest;
  for (int j = 0; j < t.plan->panel; j += lanes()) {
    const auto allowed = tile::allowed(mask >> j);
    top = hn::Max(top, hn::IfThenElse(allowed, hn::LoadU(d, p + j), lowest));
  }
  return hn::GetLane(hn::MaxOfLanes(d, top));
}

// Replaces the logits of a row by weights relative to its largest logit,
// which is stored as the row's limit.  Invisible and small logits get weight 0.
void weigh_row(const FusedTile& t, int row, int index, float tau) {
  const Floats d;
  float* p = t.worker->p.data() + row * t.plan->keys + index * t.plan->panel;
  const std::uint64_t mask = t.rows.masks[row * t.rows.panels + index];
  float* sums = t.worker->sums.data() + row * lanes();
  auto sum = hn::Load(d, sums);
  for (int j = 0; j < t.plan->panel; j += lanes()) {
    const auto s = hn::Sub(hn::LoadU(d, p + j), hn::Set(d, t.worker->limit[row]));
    // NaN is not below the threshold, so it is kept.
    const auto dropped = hn::Lt(s, hn::Set(d, -tau));
    const auto e =
        hn::IfThenElseZero(tile::allowed(mask >> j),
                           hn::IfThenZeroElse(dropped, exp2_below_128(Floats(), s)));
    sum = hn::Add(sum, e);
    hn::StoreU(e, d, p + j);
  }
  hn::Store(sum, d, sums);
}

// Computes a panel's masks for all rows, and the keys that each band sees.
void look_at(const FusedTile& t, const Bands& bands, int panel, int index) {
  const int first = panel * t.plan->panel;
  panels::fill_masks(t.rows, first, index);
  for (int band = 0; band < bands.count; ++band) {
    t.rows.seen[band * t.rows.panels + index] =
        panels::sight(t.rows, bands.begin(band), bands.size(band), first, index).some;
  }
}

// Finds the largest logits in panel `number` of the `count` visible panels.
void find_tops(const ThresholdTile& x, const Bands& bands, int number, int count) {
  const FusedTile& t = *x.tile;
  const int panel = t.worker->panels[number];
  const float* packed = forward::packed_panel(t, panel, 0);
  look_at(t, bands, panel, 0);
  for (int band = 0; band < bands.count; ++band) {
    const bool seen = t.rows.seen[band * t.rows.panels] != 0;
    if (seen) {
      find_logits(t, bands, band, 0, packed);
    }
    for (int r = bands.begin(band); r < bands.begin(band + 1); ++r) {
      x.tops[r * count + number] =
          seen ? top_of(t, r, 0) : std::numeric_limits<float>::lowest();
    }
  }
}

// True if a row of the band keeps a logit of the panel.
bool keeps(
    const ThresholdTile& x, const Bands& bands, int band, int number, int count) {
  for (int r = bands.begin(band); r < bands.begin(band + 1); ++r) {
    if (!(x.tops[r * count + number] - x.tile->worker->limit[r] < -x.tau)) {
      return true;
    }
  }
  return false;
}

// Computes the weights of kept logits in a block of panels (the second pass).
ThresholdCount weigh_kept(
    const ThresholdTile& x, const Bands& bands, int begin, int some, int count) {
  const FusedTile& t = *x.tile;
  ThresholdCount result;
  for (int b = 0; b < some; ++b) {
    const int panel = t.worker->panels[begin + b];
    const float* packed = forward::packed_panel(t, panel, b);
    look_at(t, bands, panel, b);
    for (int band = 0; band < bands.count; ++band) {
      std::uint64_t& seen = t.rows.seen[band * t.rows.panels + b];
      if (seen == 0) {
        continue;
      }
      ++result.tiles;
      if (!keeps(x, bands, band, begin + b, count)) {
        ++result.skipped;
        seen = 0;
        continue;
      }
      find_logits(t, bands, band, b, packed);
      for (int r = bands.begin(band); r < bands.begin(band + 1); ++r) {
        weigh_row(t, r, b, x.tau);
      }
    }
  }
  return result;
}

void run_threshold(const ThresholdTile& x, ThresholdCount* result) {
  const FusedTile& t = *x.tile;
  const FusedWorker& w = *t.worker;
  const Bands bands(t.rows.rows());
  forward::begin_tile(t, bands.count);
  const int count = forward::list_panels(t);
  for (int band = 0; band < bands.count; ++band) {
    forward::begin_band(t, bands, band);
  }
  for (int number = 0; number < count; ++number) {
    find_tops(x, bands, number, count);
  }
  for (int r = 0; r < t.rows.rows() && count > 0; ++r) {
    const float top = *std::max_element(x.tops + r * count, x.tops + (r + 1) * count);
    w.limit[r] = top < tile::kUnset ? 0.0F : top;
  }
  for (int begin = 0; begin < count; begin += t.rows.panels) {
    const int some = std::min(t.rows.panels, count - begin);
    const ThresholdCount part = weigh_kept(x, bands, begin, some, count);
    result->tiles += part.tiles;
    result->skipped += part.skipped;
    if (t.plan->copies) {
      forward::copy_values(t, w.panels_of(begin, some));
    }
    forward::BlockSums sums(t, bands, w.panels_of(begin, some));
    for (int band = 0; band < bands.count; ++band) {
      sums.add(band);
    }
  }
  for (int r = 0; r < t.rows.rows(); ++r) {
    w.minus_reference[r] = -w.limit[r];
  }
  for (int band = 0; band < bands.count; ++band) {
    forward::end_band(t, bands, band);
  }
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(run_threshold);

}  // namespace

ThresholdScratch::ThresholdScratch(const HeadsShape& shape,
                                   const FusedPlan& plan,
                                   int threads,
                                   Arena& arena)
    : fused_(shape, plan, threads, arena),
      tops_of_thread_(std::ptrdiff_t{plan.rows} * panels_of(shape.keys, plan.panel)) {
  tops_ = piece<float>(arena, tops_of_thread_ * threads).data();
}

ThresholdCount threshold_forward(const HeadsView& heads,
                                 const Pattern& pattern,
                                 float tau,
                                 num::View o,
                                 num::View log_sums,
                                 const ThresholdScratch& scratch) {
  // Integer sums do not depend on the order of threads.
  std::atomic<std::int64_t> tiles = 0;
  std::atomic<std::int64_t> skipped = 0;
  const FusedWorker* first = scratch.fused().workers().data();
  for_fused_tiles(
      heads,
      pattern,
      o,
      log_sums,
      scratch.fused(),
      1,
      [&](const FusedTile& tile, int /*round*/) {
        ThresholdCount count;
        float* tops = scratch.tops() + (tile.worker - first) * scratch.tops_of_thread();
        const auto base2 =
            static_cast<float>(static_cast<double>(tau) * std::numbers::log2e);
        HWY_DYNAMIC_DISPATCH(run_threshold)
        (ThresholdTile{&tile, base2, tops}, &count);
        tiles += count.tiles;
        skipped += count.skipped;
      });
  return {tiles, skipped};
}

}  // namespace oa::attention
#endif
