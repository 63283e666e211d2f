#pragma once

#include "oa/base/rng.h"

#include <cstdint>
#include <span>

namespace oa {

/// How a training image is varied, with new random numbers in each epoch.
struct Augmentation {
  double shift = 0.0;   ///< at most, in pixels, in each direction
  double rotate = 0.0;  ///< at most, in degrees, either way
  double scale = 0.0;   ///< at most, as a share of the size, either way
  double shear = 0.0;   ///< at most, in pixels sideways per pixel down, either way
  bool mirror = false;  ///< every other image, left to right

  bool operator==(const Augmentation&) const = default;
  [[nodiscard]] bool any() const {
    return shift > 0.0 || rotate > 0.0 || scale > 0.0 || shear > 0.0 || mirror;
  }
};

/// An affine map of the plane: where a pixel of the new image, relative to the centre,
/// lies in the old one.
struct Affine {
  double xx = 1.0, xy = 0.0, x0 = 0.0;
  double yx = 0.0, yy = 1.0, y0 = 0.0;
};

/// A random map within the limits.
[[nodiscard]] Affine draw_affine(const Augmentation& limits, Rng& rng);

/// `to` = the image seen through `map`, bilinear between pixels, background outside;
/// values in [-1,1] as model::normalize_pixels() gives them.
void warp(std::span<const std::uint8_t> pixels,
          int rows,
          int cols,
          const Affine& map,
          std::span<float> to);

}  // namespace oa
