#include "survey/kernel/fused/flash1.h"

#include "oa/base/index.h"
#include "survey/kernel/fused/tile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace oa::attention {

std::span<RowSum> flash1_sums(const HeadsShape& shape, Arena& arena) {
  const std::size_t count = at(std::int64_t{shape.heads} * shape.queries);
  return {static_cast<RowSum*>(arena.allocate(count * sizeof(RowSum))), count};
}

void flash1_forward(const HeadsView& heads,
                    const Pattern& pattern,
                    num::View o,
                    num::View log_sums,
                    const FusedScratch& scratch,
                    std::span<RowSum> all_sums) {
  const int width = heads.width();
  const int block = scratch.plan().keys;
  std::ranges::fill(all_sums, RowSum());
  const auto run = [&](const FusedTile& tile, int round) {
    const std::span<RowSum> sums = all_sums.subspan(
        at(std::int64_t{tile.head} * heads.q.rows + tile.first), at(tile.count));
    tile.begin();
    std::ranges::copy(sums, tile.worker->rows.begin());
    for (int r = 0; r < tile.count && round > 0; ++r) {
      const float* from = o.row(tile.first + r) + tile.head * width;
      std::transform(from, from + width, tile.worker->o.row(r), [&](float x) {
        return sums[at(r)].sum * x;
      });
    }
    const Run keys{round * block, std::min((round + 1) * block, heads.k.rows)};
    for (const Run& seen : seen_blocks(pattern, tile.first, tile.count, keys, block)) {
      tile.add(seen);
    }
    tile.end();
    std::ranges::copy(tile.worker->rows.first(at(tile.count)), sums.begin());
  };
  const int rounds = std::max(1, (heads.k.rows + block - 1) / block);
  for_fused_tiles(heads, pattern, o, log_sums, scratch, rounds, run);
}

}  // namespace oa::attention
