#include "oa/data/augment.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>
#include <vector>

#ifndef OA_DATA_AUGMENT  // this section once, not for each target of Highway
#define OA_DATA_AUGMENT
namespace oa {
namespace {

// Background pixels around the picture.  Clamping positions to this frame saves bounds
// checks in the interpolation.
constexpr int kFrame = 2;

struct Framed {
  const float* pixels;
  int rows;  // without the frame
  int cols;
  int wide;  // with the frame
};

}  // namespace
}  // namespace oa
#endif

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, 8>;
using Floats = hn::Rebind<float, Doubles>;
using Ints = hn::RebindToSigned<Floats>;

// A coordinate in the framed picture: pixel number `whole` plus fraction `part`.
struct Between {
  hn::Vec<Ints> whole;
  hn::Vec<Floats> part;
};

HWY_INLINE Between place(hn::Vec<Doubles> position, double last) {
  const Doubles d;
  const auto inside =
      hn::DemoteTo(Floats(), hn::Min(hn::Max(position, hn::Zero(d)), hn::Set(d, last)));
  const auto whole = hn::ConvertTo(Ints(), inside);
  return {whole, hn::Sub(inside, hn::ConvertTo(Floats(), whole))};
}

// Pixels of row `r` from column `c` on, in [-1,1].
HWY_INLINE hn::Vec<Floats> pixels_at(const Framed& from,
                                     const Affine& map,
                                     int r,
                                     int c) {
  const Doubles d;
  const Floats f;
  const double middle_x = (from.cols - 1) / 2.0;
  const double middle_y = (from.rows - 1) / 2.0;
  const auto dx = hn::Sub(hn::Iota(d, static_cast<double>(c)), hn::Set(d, middle_x));
  const double dy = r - middle_y;
  auto x = hn::Add(hn::Mul(hn::Set(d, map.xx), dx), hn::Set(d, map.xy * dy));
  x = hn::Add(hn::Add(x, hn::Set(d, map.x0)), hn::Set(d, middle_x));
  x = hn::Add(x, hn::Set(d, kFrame));
  auto y = hn::Add(hn::Mul(hn::Set(d, map.yx), dx), hn::Set(d, map.yy * dy));
  y = hn::Add(hn::Add(y, hn::Set(d, map.y0)), hn::Set(d, middle_y));
  y = hn::Add(y, hn::Set(d, kFrame));
  const Between col = place(x, from.cols + kFrame);
  const Between row = place(y, from.rows + kFrame);
  const auto corner =
      hn::Add(hn::Mul(row.whole, hn::Set(Ints(), from.wide)), col.whole);
  const auto pixel = [&](int offset) HWY_ATTR {
    return hn::GatherIndex(f, from.pixels + offset, corner);
  };
  const auto between = [](auto a, auto b, auto part) HWY_ATTR {
    return hn::Add(a, hn::Mul(part, hn::Sub(b, a)));
  };
  const auto upper = between(pixel(0), pixel(1), col.part);
  const auto lower = between(pixel(from.wide), pixel(from.wide + 1), col.part);
  return hn::Sub(hn::Mul(between(upper, lower, row.part), hn::Set(f, 2.0F / 255.0F)),
                 hn::Set(f, 1.0F));
}

HWY_ATTR void warp_rows(const Framed& from, const Affine& map, float* to) {
  const Floats f;
  const int lanes = static_cast<int>(hn::Lanes(f));
  for (int r = 0; r < from.rows; ++r, to += from.cols) {
    int c = 0;
    for (; c + lanes <= from.cols; c += lanes) {
      hn::StoreU(pixels_at(from, map, r, c), f, to + c);
    }
    if (c < from.cols) {
      std::array<float, hn::MaxLanes(f)> last;
      hn::StoreU(pixels_at(from, map, r, c), f, last.data());
      std::copy_n(last.data(), from.cols - c, to + c);
    }
  }
}

}  // namespace
}  // namespace oa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa {
namespace {

HWY_EXPORT(warp_rows);

}  // namespace

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
  const int wide = cols + 2 * kFrame;
  std::vector<float> framed(static_cast<std::size_t>((rows + 2 * kFrame) * wide), 0.0F);
  for (int r = 0; r < rows; ++r) {
    std::copy_n(
        pixels.data() + static_cast<std::ptrdiff_t>(r) * cols,
        cols,
        framed.data() + static_cast<std::ptrdiff_t>(r + kFrame) * wide + kFrame);
  }
  HWY_DYNAMIC_DISPATCH(warp_rows)
  ({framed.data(), rows, cols, wide}, map, to.data());
}

}  // namespace oa
#endif
