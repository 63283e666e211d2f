#pragma once

#include "survey/kernel/fused/plan.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

namespace oa::attention {

/// Queries of heads of one group, and the visible keys in a block of panels.
/// Row r is query first_query + r % queries of head first_head + r / queries.
struct TileRows {
  const Pattern* pattern;
  int first_head;
  int heads;
  int first_query;
  int queries;
  int panel;                       ///< keys of a panel
  int panels;                      ///< of a block
  std::span<std::uint64_t> masks;  ///< rows x panels: allowed keys, a bit each
  std::span<std::uint64_t> seen;   ///< bands x panels: keys that some row sees

  [[nodiscard]] int rows() const { return heads * queries; }
  /// True if some query sees some of the keys.
  [[nodiscard]] bool see(Run keys) const;
};

inline bool TileRows::see(Run keys) const {
  const int last = first_query + queries - 1;
  if (pattern->is_band()) {
    return keys.end > pattern->band_row(first_query).begin &&
           keys.begin < pattern->band_row(last).end;
  }
  for (int query = first_query; query <= last; ++query) {
    if (query > first_query && pattern->alike(query - 1, query)) {
      continue;
    }
    const std::span<const Run> runs = pattern->runs(query);
    const auto run = std::ranges::upper_bound(runs, keys.begin, {}, &Run::end);
    if (run != runs.end() && run->begin < keys.end) {
      return true;
    }
  }
  return false;
}

/// The number of rows of a register tile; tiles have a multiple if possible.
inline constexpr int kBandRows = 6;

/// The minimum number of queries of a head in a tile of several heads, for a band.
inline constexpr int kMinQueries = 30;

/// The division of a group into tiles:
/// `together` heads at a time, with their queries in `parts` parts.
struct TileCut {
  int queries;
  int rows;  ///< the most of a head in a tile
  bool band;
  int heads;
  int together;
  int parts;

  /// Heads share a tile if each head has at least `least` queries in it,
  /// because queries and outputs of neighbouring heads are adjacent in memory.
  TileCut(const HeadsShape& shape, const Pattern& pattern, int most_rows, int least)
      : queries(shape.queries),
        rows(pattern.is_band()
                 ? most_rows
                 : static_cast<int>(std::bit_floor(static_cast<unsigned>(most_rows)))),
        band(pattern.is_band()),
        heads(shape.heads / shape.groups),
        together(std::clamp(rows / std::max(1, queries), 1, heads)) {
    if (band && together == 1) {
      const int most = std::clamp(rows / least, 1, heads);
      const int turns = (heads + most - 1) / most;
      together = (heads + turns - 1) / turns;
      rows = rows / together / unit() * unit();
    }
    parts = (queries + rows - 1) / rows;
  }

  [[nodiscard]] int tiles() const { return (heads + together - 1) / together * parts; }
  /// Returns the heads and queries of tile i of a group.
  [[nodiscard]] TileRows tile(const Pattern& pattern, int group, int i) const {
    TileRows tile{};
    const int head = i / parts * together;
    tile.pattern = &pattern;
    tile.first_head = group * heads + head;
    tile.heads = std::min(together, heads - head);
    tile.first_query = first_query(i % parts);
    tile.queries = first_query(i % parts + 1) - tile.first_query;
    return tile;
  }

 private:
  // Patterns of blocks have edges at multiples of powers of 2, bands anywhere.
  [[nodiscard]] int first_query(int part) const {
    if (!band) {
      return std::min(part * rows, queries);
    }
    const auto even = static_cast<int>(std::int64_t{part} * queries / parts);
    return std::min((even + unit() - 1) / unit() * unit(), queries);
  }
  [[nodiscard]] int unit() const { return rows % kBandRows == 0 ? kBandRows : 1; }
};

}  // namespace oa::attention
