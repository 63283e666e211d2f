#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"
#include "survey/kernel/fused/fused.h"
#include "survey/kernel/fused/rows.h"

#include <algorithm>
#include <cassert>
#include <numbers>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

constexpr auto kLog2e = std::numbers::log2e_v<float>;
constexpr int kTileRows = 72;
constexpr int kBlockKeys = 256;

/// Splits a single long group in two, for two threads.
int parts_of(const HeadsShape& shape) {
  return shape.groups == 1 && shape.keys > 2 * kBlockKeys ? 2 : 1;
}

View corner(View x, int rows, int cols) {
  return {x.data, rows, cols, x.stride};
}

void add_scaled_rows(ConstView from, float factor, View to) {
  for (int i = 0; i < to.rows; ++i) {
    std::transform(from.row(i),
                   from.row(i) + to.cols,
                   to.row(i),
                   to.row(i),
                   [factor](float x, float y) { return y + factor * x; });
  }
}

/// The inputs and results of fused_backward(), of one head.
struct HeadSlopes {
  ConstView q;
  ConstView o;
  ConstView d_o;
  const float* log_sums;
  View dq;
};

/// The keys of a block against all queries.
struct GradientBlock {
  const Pattern& pattern;
  const GradientWorker& w;
  Run keys;
  float scale;
  bool begins;  ///< dq has no sums of this group yet
  bool finite;
};

/// Adds the gradients from a tile and the keys that its queries see.
void add_tile(const GradientBlock& t, int first, int count, Run seen, bool finite) {
  const GradientWorker& w = t.w;
  const int length = seen.length();
  const int begin = seen.begin - t.keys.begin;
  const View q = w.q.top(count);
  const View d_o = w.d_o.top(count);
  const View p = corner(w.p, count, length);
  const View ds = corner(w.ds, count, length);
  slope_rows(SeenRuns(t.pattern, first, count, seen),
             {.q = q,
              .d_o = d_o,
              .k = columns(w.kt, begin, length),
              .v = columns(w.vt, begin, length),
              .log2_sums = w.log2_sums,
              .deltas = w.deltas,
              .p = p,
              .ds = ds});
  add_weighted(p, true, d_o, finite, row_block(w.dv, begin, length));
  add_weighted(ds, true, q, finite, row_block(w.dk, begin, length));
  add_weighted(ds, false, row_block(w.k, begin, length), finite, w.dq.top(count));
}

void run_tile(const GradientBlock& t, const HeadSlopes& head, int first, int count) {
  const View to = row_block(head.dq, first, count);
  for (int i = 0; i < count && t.begins; ++i) {
    std::fill_n(to.row(i), to.cols, 0.0F);
  }
  const std::vector<Run> blocks =
      seen_blocks(t.pattern, first, count, t.keys, kBlockKeys);
  if (blocks.empty()) {
    return;
  }
  const GradientWorker& w = t.w;
  copy_rows(row_block(head.q, first, count), w.q.top(count));
  copy_rows(row_block(head.d_o, first, count), w.d_o.top(count));
  num::fill(w.dq.top(count), 0.0F);
  const bool finite =
      t.finite && all_finite(w.q.top(count)) && all_finite(w.d_o.top(count));
  std::transform(head.log_sums + first,
                 head.log_sums + first + count,
                 w.log2_sums.begin(),
                 [](float log_sum) { return kLog2e * log_sum; });
  find_deltas(row_block(head.o, first, count), w.d_o.top(count), w.deltas);
  for (const Run& seen : blocks) {
    add_tile(t, first, count, seen, finite);
  }
  add_scaled_rows(w.dq, t.scale, to);
}

}  // namespace

GradientScratch::GradientScratch(const HeadsShape& shape, int threads, Arena& arena) {
  // The first part of keys writes the gradient of the queries directly.
  parts_.resize(at(parts_of(shape)));
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    parts_[i] = num::zeros(shape.queries, shape.heads * shape.width, arena);
  }
  for (int i = 0; i < threads; ++i) {
    GradientWorker& w = workers_.emplace_back();
    for (View* x : {&w.q, &w.d_o, &w.dq}) {
      *x = num::zeros(kTileRows, shape.width, arena);
    }
    // Kernels read and write columns of these:
    // rows a power of 2 apart would compete for few lines of the L1 cache.
    for (View* x : {&w.p, &w.ds}) {
      *x = num::zeros(kTileRows, kBlockKeys + num::kLane, arena);
    }
    for (View* x : {&w.kt, &w.vt}) {
      *x = num::zeros(shape.width, kBlockKeys + num::kLane, arena);
    }
    w.log2_sums = first_of_row(num::zeros(1, kTileRows, arena), 0, kTileRows);
    w.deltas = first_of_row(num::zeros(1, kTileRows, arena), 0, kTileRows);
    for (View* x : {&w.k, &w.dk, &w.dv}) {
      *x = num::zeros(kBlockKeys, shape.width, arena);
    }
  }
}

void fused_backward(const HeadsView& heads,
                    const Pattern& pattern,
                    ConstView o,
                    ConstView log_sums,
                    ConstView d_o,
                    View dq,
                    View dk,
                    View dv,
                    const GradientScratch& scratch) {
  assert(num::same_shape(heads.q, o) && num::same_shape(o, d_o) &&
         num::same_shape(o, dq) && num::same_shape(heads.k, dk) &&
         num::same_shape(heads.v, dv));
  const int width = heads.width();
  const int in_group = heads.heads_per_group();
  const int rows = tile_rows(kTileRows, pattern);
  const auto parts = static_cast<int>(scratch.parts().size());
  const auto run_block = [&](int group, int part, Run keys, const GradientWorker& w) {
    const auto keys_of = [&](auto x) {
      return row_block(columns(x, group * width, width), keys.begin, keys.length());
    };
    const View kt = corner(w.kt, width, keys.length());
    num::transpose(keys_of(heads.k), kt);
    num::scale(kt, heads.scale * kLog2e);
    num::transpose(keys_of(heads.v), corner(w.vt, width, keys.length()));
    copy_rows(keys_of(heads.k), w.k.top(keys.length()));
    num::fill(w.dk.top(keys.length()), 0.0F);
    num::fill(w.dv.top(keys.length()), 0.0F);
    const GradientBlock block{
        .pattern = pattern,
        .w = w,
        .keys = keys,
        .scale = heads.scale,
        .begins = keys.begin == part * kBlockKeys,
        .finite = all_finite(keys_of(heads.k)) && all_finite(keys_of(heads.v))};
    const View slopes = part == 0 ? dq : scratch.parts()[at(part)];
    for (int h = group * in_group; h < (group + 1) * in_group; ++h) {
      const auto head_of = [&](auto x) { return columns(x, h * width, width); };
      const HeadSlopes head{
          head_of(heads.q), head_of(o), head_of(d_o), log_sums.row(h), head_of(slopes)};
      for (int first = 0; first < o.rows; first += rows) {
        run_tile(block, head, first, std::min(rows, o.rows - first));
      }
    }
    for (int i = 0; i < keys.length(); ++i) {
      std::transform(
          w.dk.row(i), w.dk.row(i) + width, keys_of(dk).row(i), [&](float x) {
            return heads.scale * x;
          });
    }
    copy_rows(w.dv.top(keys.length()), keys_of(dv));
  };
  // Parts take alternate blocks of keys,
  // because most queries of causal patterns see the first blocks.
  const auto run = [&](std::int64_t job, int worker) {
    const auto part = static_cast<int>(job % parts);
    const int last = std::max(heads.k.rows, 1);
    for (int first = part * kBlockKeys; first < last; first += parts * kBlockKeys) {
      run_block(static_cast<int>(job / parts),
                part,
                {first, std::min(first + kBlockKeys, heads.k.rows)},
                scratch.workers()[at(worker)]);
    }
  };
  parallel_stretches(std::int64_t{heads.groups} * parts,
                     static_cast<int>(scratch.workers().size()),
                     run);
  for (const View& part : scratch.parts().subspan(1)) {
    add_scaled_rows(part, 1.0F, dq);
  }
}

}  // namespace oa::attention
