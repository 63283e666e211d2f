#pragma once

#include "oa/plot/map/sparsity.h"

namespace oa::plot {

// Shared by all drawings of a SparsityMap.

/// The range of values that the colours show; it includes 0.
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

/// Draws the scene's title and the line of facts.
void draw_map_heading(const SparsityMap& map, const Words& words, Scene& scene);

/// The height that draw_value_key() needs.
inline constexpr double kValueKey = 32.0;

/// Explains the colours: two of them, or the scale.
void draw_value_key(const SparsityMap& map,
                    double y,
                    const ValueScale& scale,
                    const Words& words,
                    Scene& scene);

/// For each query the picture, with the chosen patches coloured.
[[nodiscard]] Scene draw_over_picture(const SparsityMap& map, const Look& look);

/// For each query its picture and those of all values, the chosen ones framed.
[[nodiscard]] Scene draw_gallery(const SparsityMap& map, const Look& look);

/// Queries as rows, for unequal numbers of values or named queries.
[[nodiscard]] Scene draw_rows(const SparsityMap& map,
                              const SparsitySettings& settings,
                              const Look& look);

}  // namespace oa::plot
