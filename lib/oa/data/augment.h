#pragma once

#include "oa/base/rng.h"

#include <cstdint>
#include <span>

namespace oa {

/// Limits of random distortions of training images.
struct Augmentation {
  double shift = 0.0;   ///< pixels in each direction
  double rotate = 0.0;  ///< degrees, in both directions
  double scale = 0.0;   ///< share of the size, smaller or larger
  double shear = 0.0;   ///< pixels sideways per pixel down, both ways
  bool mirror = false;  ///< mirror half of the images left to right

  bool operator==(const Augmentation&) const = default;
  [[nodiscard]] bool any() const {
    return shift > 0.0 || rotate > 0.0 || scale > 0.0 || shear > 0.0 || mirror;
  }
};

/// An affine map from pixels of the new image to the old, relative to the centres.
struct Affine {
  double xx = 1.0, xy = 0.0, x0 = 0.0;
  double yx = 0.0, yy = 1.0, y0 = 0.0;
};

/// Draws a random map within the limits.
[[nodiscard]] Affine draw_affine(const Augmentation& limits, Rng& rng);

/// Applies `map` with bilinear interpolation and background outside.  Results are in
/// [-1,1], as for model::normalize_pixels().
void warp(std::span<const std::uint8_t> pixels,
          int rows,
          int cols,
          const Affine& map,
          std::span<float> to);

}  // namespace oa
