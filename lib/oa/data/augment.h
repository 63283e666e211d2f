#pragma once

#include "oa/base/rng.h"
#include "oa/train/settings.h"

#include <cstdint>
#include <span>

namespace oa::train {

/// An affine map of the plane: where a pixel of the new image, relative to the centre,
/// lies in the old one.
struct Affine {
  double xx = 1.0, xy = 0.0, x0 = 0.0;
  double yx = 0.0, yy = 1.0, y0 = 0.0;
};

/// One drawn within the limits.
[[nodiscard]] Affine draw_affine(const Augmentation& limits, Rng& rng);

/// `to` = the image seen through `map`, bilinear between pixels, background outside;
/// values in [-1,1] as model::normalize_pixels() gives them.
void warp(std::span<const std::uint8_t> pixels,
          int rows,
          int cols,
          const Affine& map,
          std::span<float> to);

}  // namespace oa::train
