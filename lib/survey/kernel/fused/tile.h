#pragma once

#include "survey/kernel/fused/fused.h"
#include "survey/kernel/fused/rows.h"

#include <functional>
#include <span>
#include <vector>

namespace oa::attention {

/// Queries first .. first+count-1 of a head, and the keys of its group.
struct FusedTile {
  const HeadsView* heads;
  const Pattern* pattern;
  const FusedScratch* scratch;
  const FusedWorker* worker;
  int head;
  int first;
  int count;
  num::View o;
  num::View log_sums;

  bool finite;  ///< all values of the group are known to be

  /// Forgets all keys.
  void begin() const;
  /// The blocks of keys that some query sees.
  [[nodiscard]] std::vector<Run> blocks(int most) const {
    return seen_blocks(*pattern, first, count, {0, heads->k.rows}, most);
  }
  /// Computes the logits of a block of keys.
  [[nodiscard]] num::View logits(Run keys) const;
  /// Adds the weighted values of a block of keys.
  void add(Run keys) const;
  /// Writes outputs and logarithms of sums.
  void end() const;
};

/// Calls run(tile, round) for all tiles.
/// Threads share the tiles of a round; the next round starts after all of them.
void for_fused_tiles(const HeadsView& heads,
                     const Pattern& pattern,
                     num::View o,
                     num::View log_sums,
                     const FusedScratch& scratch,
                     int rounds,
                     const std::function<void(const FusedTile&, int)>& run);

}  // namespace oa::attention
