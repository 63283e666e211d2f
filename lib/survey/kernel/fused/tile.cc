#include "survey/kernel/fused/tile.h"

#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

ConstView part_of(const FusedTile& t, ConstView all, Run keys) {
  const int width = t.heads->width();
  const int group = t.head / t.heads->heads_per_group();
  return row_block(columns(all, group * width, width), keys.begin, keys.length());
}

ConstView queries_of(const FusedTile& t) {
  const int width = t.heads->width();
  return row_block(columns(t.heads->q, t.head * width, width), t.first, t.count);
}

/// Transposes keys, and scales them so that logits are in base 2.
void pack_keys(ConstView keys, float scale, View to) {
  num::transpose(keys, to);
  num::scale(to, static_cast<float>(static_cast<double>(scale) * std::numbers::log2e));
}

/// Returns the keys of a block as pack_keys() writes them.
ConstView keys_of(const FusedTile& t, Run keys) {
  if (t.scratch->plan().packed) {
    return columns(ConstView(t.scratch->keys()), keys.begin, keys.length());
  }
  const View k{t.worker->k.data, t.worker->k.rows, keys.length(), t.worker->k.stride};
  pack_keys(part_of(t, t.heads->k, keys), t.heads->scale, k);
  return k;
}

ConstView values_of(const FusedTile& t, Run keys) {
  if (t.scratch->plan().packed) {
    return row_block(ConstView(t.scratch->values()), keys.begin, keys.length());
  }
  const View v = t.worker->v.top(keys.length());
  copy_rows(part_of(t, t.heads->v, keys), v);
  return v;
}

/// Returns the logarithm of the sum of exponentials of a row.
float log_sum(const RowSum& row) {
  int exponent = 0;  // the reference is added as a number
  const float fraction = std::frexp(row.sum, &exponent);
  const double log2_sum = static_cast<double>(std::log2(fraction)) + exponent +
                          static_cast<double>(row.reference);
  return static_cast<float>(log2_sum / std::numbers::log2e);
}

}  // namespace

void FusedTile::begin() const {
  std::ranges::fill(worker->rows.first(at(count)), RowSum());
  num::fill(worker->o.top(count), 0.0F);
}

View FusedTile::logits(Run keys) const {
  const View s{worker->p.data, count, keys.length(), worker->p.stride};
  num::matmul(queries_of(*this), keys_of(*this, keys), s);
  return s;
}

void FusedTile::add(Run keys) const {
  const View p{worker->p.data, count, keys.length(), worker->p.stride};
  const View sums = worker->o.top(count);
  weigh_rows(SeenRuns(*pattern, first, count, keys),
             {.q = queries_of(*this),
              .k = keys_of(*this, keys),
              .rows = worker->rows.first(at(count)),
              .sums = worker->sums.top(count),
              .p = p,
              .o = sums});
  const ConstView v = values_of(*this, keys);
  add_weighted(p, false, v, finite || all_finite(v), sums);
}

void FusedTile::end() const {
  const int width = heads->width();
  for (int r = 0; r < count; ++r) {
    const RowSum& row = worker->rows[at(r)];
    const float share = row.sum == 0.0F ? 0.0F : 1.0F / row.sum;
    const float* from = worker->o.row(r);
    std::transform(from, from + width, o.row(first + r) + head * width, [&](float x) {
      return share == 0.0F ? 0.0F : share * x;
    });
    if (log_sums.data != nullptr) {
      log_sums(head, first + r) =
          row.sum == 0.0F ? -std::numeric_limits<float>::infinity() : log_sum(row);
    }
  }
}

void for_fused_tiles(const HeadsView& heads,
                     const Pattern& pattern,
                     View o,
                     View log_sums,
                     const FusedScratch& scratch,
                     int rounds,
                     const std::function<void(const FusedTile&, int)>& run) {
  assert(well_formed(heads) && num::same_shape(heads.q, o));
  assert(pattern.queries() == heads.q.rows && pattern.keys() == heads.k.rows);
  const int rows = tile_rows(scratch.plan().rows, pattern);
  const int tiles = (heads.q.rows + rows - 1) / rows;
  const int in_group = heads.heads_per_group();
  const int width = heads.width();
  for (int group = 0; group < heads.groups; ++group) {
    const bool packed = scratch.plan().packed;
    if (packed) {
      pack_keys(columns(heads.k, group * width, width), heads.scale, scratch.keys());
      copy_rows(columns(heads.v, group * width, width), scratch.values());
    }
    const bool finite = packed && all_finite(scratch.values());
    const auto use = [&](std::int64_t job, int worker, int round) {
      // Last queries of a causal pattern see most keys: their tiles come first.
      const int first = (tiles - 1 - static_cast<int>(job) % tiles) * rows;
      run({.heads = &heads,
           .pattern = &pattern,
           .scratch = &scratch,
           .worker = &scratch.workers()[at(worker)],
           .head = group * in_group + static_cast<int>(job) / tiles,
           .first = first,
           .count = std::min(rows, heads.q.rows - first),
           .o = o,
           .log_sums = log_sums,
           .finite = finite},
          round);
    };
    for (int round = 0; round < rounds; ++round) {
      parallel_stretches(
          std::int64_t{in_group} * tiles,
          static_cast<int>(scratch.workers().size()),
          [&](std::int64_t job, int worker) { use(job, worker, round); });
    }
  }
}

}  // namespace oa::attention
