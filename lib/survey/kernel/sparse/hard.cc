#include "survey/kernel/sparse/hard.h"

#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cassert>

namespace oa::attention {
namespace {

// Computes means (heads of the group x queries) = sum_j P_ij dP_ij.
void find_means(const HeadsView& x,
                int group,
                bool causal,
                num::ConstView log_sums,
                num::ConstView d_o,
                const TileScratch& scratch,
                num::View means) {
  num::fill(means, 0.0F);
  visit_tiles(x, group, causal, d_o, scratch, [&](const Tile& tile) {
    const int h = tile.head - group * x.heads_per_group();
    for (int r = 0; r < tile.logits.rows; ++r) {
      const int i = tile.first_query + r;
      const int seen = tile.seen(r, causal);
      means(h, i) += mean_gradient(first_of_row(tile.logits, r, seen),
                                   first_of_row(tile.d_weights, r, seen),
                                   log_sums(tile.head, i));
    }
  });
}

// Replaces the weights of a row by 1 for its best key and 0 for all other keys.
void one_hot(const Tile& tile, int r, const TopkKept& best) {
  const auto row = first_of_row(tile.logits, r, tile.logits.cols);
  std::ranges::fill(row, 0.0F);
  const int key = best.columns_of(tile.head, tile.first_query + r)[0] - tile.first_key;
  if (key >= 0 && key < tile.logits.cols) {
    row[at(key)] = 1.0F;
  }
}

}  // namespace

HardScratch hard_scratch(const HeadsView& x, int threads, Arena& arena) {
  HardScratch s;
  for (int w = 0; w < threads; ++w) {
    s.tiles.push_back(tile_scratch(x, arena));
  }
  s.means = num::zeros(threads * x.heads_per_group(), x.q.rows, arena);
  const int keys = s.tiles.front().logits.cols;
  s.ones = num::zeros(1, keys, arena);
  s.gates = num::zeros(threads, keys, arena);
  return s;
}

void hard_backward(const HeadsView& x,
                   const TopkKept& best,
                   num::ConstView log_sums,
                   num::ConstView d_o,
                   const HeadsGradient& gradient,
                   const HardScratch& scratch,
                   int threads) {
  assert(well_formed(x) && best.size <= 1);
  const int per_group = x.heads_per_group();
  std::fill_n(scratch.ones.row(0), scratch.ones.cols, 1.0F);
  parallel_for(x.groups, threads, [&](std::int64_t job, int w) {
    const auto group = static_cast<int>(job);
    const TileScratch& tiles = scratch.tiles[at(w)];
    const auto means = row_block(scratch.means, w * per_group, per_group);
    find_means(x, group, best.causal, log_sums, d_o, tiles, means);
    const auto visit = [&](const Tile& tile) {
      for (int r = 0; r < tile.logits.rows; ++r) {
        const int i = tile.first_query + r;
        const int seen = tile.seen(r, best.causal);
        differentiate({first_of_row(tile.logits, r, seen),
                       first_of_row(tile.d_weights, r, seen),
                       first_of_row(scratch.ones, 0, seen),
                       first_of_row(scratch.gates, w, seen),
                       log_sums(tile.head, i),
                       means(tile.head - group * per_group, i),
                       x.scale});
        std::fill(tile.d_weights.row(r) + seen,
                  tile.d_weights.row(r) + tile.d_weights.cols,
                  0.0F);
        one_hot(tile, r, best);
      }
    };
    backward_by_tiles(x, group, best.causal, d_o, gradient, tiles, visit);
  });
}

}  // namespace oa::attention
