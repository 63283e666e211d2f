#pragma once

#include "oa/plot/map/sparsity.h"

namespace oa::plot {

// Helpers for drawings of a SparsityMap.

/// The range of values that colours represent; includes 0.
struct ValueScale {
  double low = 0.0;
  double high = 0.0;

  [[nodiscard]] double share(double value) const {
    return high > low ? (value - low) / (high - low) : 0.0;
  }
};

[[nodiscard]] ValueScale scale_of(const SparsityMap& map);
[[nodiscard]] double value_of(const SparsityMap& map, int query, int k);
[[nodiscard]] Color color_of(const SparsityMap& map, double value, double share);

/// Draws the scene's title and a line of facts.
void draw_map_heading(const SparsityMap& map, const Words& words, Scene& scene);

/// The height of draw_value_key().
inline constexpr double kValueKey = 32.0;

/// Draws the legend: two colours, or the colour scale.
void draw_value_key(const SparsityMap& map,
                    double y,
                    const ValueScale& scale,
                    const Words& words,
                    Scene& scene);

/// Draws, for each query, the picture with coloured patches where it chooses.
[[nodiscard]] Scene draw_over_picture(const SparsityMap& map, const Look& look);

/// Draws, for each query, its picture beside all values; chosen values have a frame.
[[nodiscard]] Scene draw_gallery(const SparsityMap& map, const Look& look);

/// Draws queries as rows, for unequal numbers of values or queries with names.
[[nodiscard]] Scene draw_rows(const SparsityMap& map,
                              const SparsitySettings& settings,
                              const Look& look);

}  // namespace oa::plot
