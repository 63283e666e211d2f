#include "oa/data/augment.h"

#include "oa/model/embedding.h"
#include "ref/targets.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

using namespace oa;

namespace {

struct Picture {
  int rows;
  int cols;
  std::vector<std::uint8_t> pixels;

  Picture(int height, int width, Rng& rng) : rows(height), cols(width) {
    for (int i = 0; i < rows * cols; ++i) {
      pixels.push_back(static_cast<std::uint8_t>(rng.below(256)));
    }
  }

  /// Background outside.
  [[nodiscard]] double at(int r, int c) const {
    return r < 0 || r >= rows || c < 0 || c >= cols
               ? 0.0
               : static_cast<double>(pixels[static_cast<std::size_t>(r * cols + c)]);
  }

  /// Between four pixels, in -1 .. 1.
  [[nodiscard]] double seen(double y, double x) const {
    const int r = static_cast<int>(std::floor(y));
    const int c = static_cast<int>(std::floor(x));
    const double fy = y - r;
    const double fx = x - c;
    const double upper = at(r, c) * (1.0 - fx) + at(r, c + 1) * fx;
    const double lower = at(r + 1, c) * (1.0 - fx) + at(r + 1, c + 1) * fx;
    return (upper * (1.0 - fy) + lower * fy) * 2.0 / 255.0 - 1.0;
  }
};

}  // namespace

TEST_SUITE_BEGIN("data");

TEST_CASE("a picture seen through a map is interpolated between pixels") {
  ref::on_each_target([&] {
    Rng rng(5);
    for (const auto& [rows, cols] : {std::pair(28, 28), {5, 19}, {9, 3}, {1, 1}}) {
      const Picture picture(rows, cols, rng);
      // One float more: memory behind a picture is not written.
      std::vector<float> warped(static_cast<std::size_t>(rows * cols) + 1, 7.0F);
      double worst = 0.0;
      for (int k = 0; k < 20; ++k) {
        const Affine map = draw_affine(
            {.shift = 4.0, .rotate = 40.0, .scale = 0.5, .shear = 0.3, .mirror = true},
            rng);
        warp(picture.pixels,
             rows,
             cols,
             map,
             std::span(warped).first(warped.size() - 1));
        for (int i = 0; i < rows * cols; ++i) {
          const double dx = i % cols - (cols - 1) / 2.0;
          const double dy = i / cols - (rows - 1) / 2.0;
          const double x = map.xx * dx + map.xy * dy + map.x0 + (cols - 1) / 2.0;
          const double y = map.yx * dx + map.yy * dy + map.y0 + (rows - 1) / 2.0;
          const double error =
              std::abs(static_cast<double>(warped[static_cast<std::size_t>(i)]) -
                       picture.seen(y, x));
          worst = std::max(worst, error);
        }
      }
      CAPTURE(rows);
      CHECK(worst < 1e-5);
      CHECK(warped.back() == 7.0F);
    }
  });
}

TEST_CASE("half of the images are mirrored") {
  const std::vector<std::uint8_t> image{10, 20, 30, 40, 50, 60};
  std::vector<float> plain(6);
  model::normalize_pixels(image, plain);
  const auto same = [&](std::span<const float> warped, bool mirrored) {
    for (std::size_t i = 0; i < 6; ++i) {
      const std::size_t from = mirrored ? i / 3 * 3 + 2 - i % 3 : i;
      if (warped[i] != doctest::Approx(plain[from]).epsilon(1e-5)) {
        return false;
      }
    }
    return true;
  };
  Rng rng(1);
  int mirrored = 0;
  for (int k = 0; k < 200; ++k) {
    std::vector<float> warped(6);
    warp(image, 2, 3, draw_affine({.mirror = true}, rng), warped);
    CHECK((same(warped, false) || same(warped, true)));
    mirrored += same(warped, true) ? 1 : 0;
  }
  CHECK(mirrored > 70);
  CHECK(mirrored < 130);
  CHECK(Augmentation{.mirror = true}.any());
}

TEST_SUITE_END();
