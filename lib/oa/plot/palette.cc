#include "oa/plot/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace oa::plot {
namespace {

struct Lab {
  double l = 0.0;
  double a = 0.0;
  double b = 0.0;
};

double linear(std::uint8_t value) {
  const double v = value / 255.0;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

std::uint8_t gamma(double v) {
  const double s = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1.0 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(s, 0.0, 1.0)));
}

Lab to_lab(Color color) {
  const double r = linear(color.red);
  const double g = linear(color.green);
  const double b = linear(color.blue);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Color to_color(const Lab& c) {
  const double l = std::pow(c.l + 0.3963377774 * c.a + 0.2158037573 * c.b, 3.0);
  const double m = std::pow(c.l - 0.1055613458 * c.a - 0.0638541728 * c.b, 3.0);
  const double s = std::pow(c.l - 0.0894841775 * c.a - 1.2914855480 * c.b, 3.0);
  return {gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          gamma(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

}  // namespace

Color series_color(int k) {
  constexpr std::array<Color, 7> kSeries{{{0x00, 0x72, 0xB2},
                                          {0xD5, 0x5E, 0x00},
                                          {0x00, 0x9E, 0x73},
                                          {0xCC, 0x79, 0xA7},
                                          {0x56, 0xB4, 0xE9},
                                          {0xE6, 0x9F, 0x00},
                                          {0x00, 0x00, 0x00}}};
  const std::size_t number = static_cast<std::size_t>(k) % (3 * kSeries.size());
  const Color color = kSeries[number % kSeries.size()];
  switch (number / kSeries.size()) {
    case 1: return mix(color, color == Color{} ? kGray : Color{}, 0.45);
    case 2: return mix(color, kPaper, 0.5);
    default: return color;
  }
}

Color share_color(double share) {
  const double t = std::clamp(share, 0.0, 1.0);
  const Lab from = to_lab(kNotChosen);
  const Lab to = to_lab(kChosen);
  constexpr double kTurn = 0.5;
  const Lab red = to_lab({0xB0, 0x3A, 0x5B});
  const Lab& a = t < kTurn ? from : red;
  const Lab& b = t < kTurn ? red : to;
  const double u = t < kTurn ? t / kTurn : (t - kTurn) / (1.0 - kTurn);
  return to_color(
      {std::lerp(from.l, to.l, t), std::lerp(a.a, b.a, u), std::lerp(a.b, b.b, u)});
}

Color mix(Color a, Color b, double share) {
  const auto channel = [share](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(
        std::lround(std::lerp(double{1.0} * x, double{1.0} * y, share)));
  };
  return {channel(a.red, b.red), channel(a.green, b.green), channel(a.blue, b.blue)};
}

}  // namespace oa::plot
