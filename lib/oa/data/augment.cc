#include "oa/data/augment.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <vector>

namespace oa {

Affine draw_affine(const Augmentation& limits, Rng& rng) {
  const double angle =
      rng.uniform(-limits.rotate, limits.rotate) * std::numbers::pi / 180.0;
  const double size = 1.0 / (1.0 + rng.uniform(-limits.scale, limits.scale));
  const double shear = rng.uniform(-limits.shear, limits.shear);
  Affine a;
  a.xx = size * std::cos(angle);
  a.xy = size * (std::sin(angle) + shear * std::cos(angle));
  a.yx = -size * std::sin(angle);
  a.yy = size * (std::cos(angle) - shear * std::sin(angle));
  a.x0 = rng.uniform(-limits.shift, limits.shift);
  a.y0 = rng.uniform(-limits.shift, limits.shift);
  if (limits.mirror && rng.below(2) == 1) {
    a.xx = -a.xx;
    a.yx = -a.yx;
  }
  return a;
}

void warp(std::span<const std::uint8_t> pixels,
          int rows,
          int cols,
          const Affine& map,
          std::span<float> to) {
  assert(static_cast<int>(pixels.size()) == rows * cols && to.size() == pixels.size());
  // The image gets a margin of two background pixels on every side, and positions are
  // clamped to it: then corners need no test.
  const int wide = cols + 4;
  std::vector<float> framed(static_cast<std::size_t>((rows + 4) * wide), 0.0F);
  for (int r = 0; r < rows; ++r) {
    std::copy_n(pixels.data() + static_cast<std::ptrdiff_t>(r) * cols,
                cols,
                framed.data() + static_cast<std::ptrdiff_t>(r + 2) * wide + 2);
  }
  const double middle_x = (cols - 1) / 2.0;
  const double middle_y = (rows - 1) / 2.0;
  float* out = to.data();
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      const double dx = c - middle_x;
      const double dy = r - middle_y;
      const double x = map.xx * dx + map.xy * dy + map.x0 + middle_x + 2.0;
      const double y = map.yx * dx + map.yy * dy + map.y0 + middle_y + 2.0;
      const auto inside_x = static_cast<float>(std::clamp(x, 0.0, cols + 2.0));
      const auto inside_y = static_cast<float>(std::clamp(y, 0.0, rows + 2.0));
      const int left = static_cast<int>(inside_x);
      const int top = static_cast<int>(inside_y);
      const float fx = inside_x - static_cast<float>(left);
      const float fy = inside_y - static_cast<float>(top);
      const float* at = framed.data() + static_cast<std::ptrdiff_t>(top) * wide + left;
      const float upper = at[0] + fx * (at[1] - at[0]);
      const float lower = at[wide] + fx * (at[wide + 1] - at[wide]);
      *out++ = (upper + fy * (lower - upper)) * (2.0F / 255.0F) - 1.0F;
    }
  }
}

}  // namespace oa
