// Draws maps whose values are pictures or patches of a picture.
#include "oa/base/number.h"
#include "oa/plot/axes.h"
#include "oa/plot/map/parts.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>

namespace oa::plot {
namespace {

constexpr double kNameHeight = 16.0;
constexpr double kApart = 8.0;

/// The background of a value: larger values have more of the chosen colour.
Color ground_of(const SparsityMap& map, int query, int k, const ValueScale& scale) {
  const double value = value_of(map, query, k);
  const double share = map.binary && map.images == 1 ? (value > 0.0 ? 1.0 : 0.0)
                                                     : std::abs(scale.share(value));
  return mix(kPaper, kChosen, std::clamp(share, 0.0, 1.0));
}

/// Draws pixels as ink on a ground whose colour may vary.
/// Joins equal neighbours into one rectangle, and skips pixels of paper.
void draw_pixels(const Picture& picture,
                 Point corner,
                 double pixel,
                 const std::function<Color(int row, int col)>& ground,
                 Scene& scene) {
  const auto color_at = [&](int row, int col) {
    const auto at =
        static_cast<std::size_t>(row) * static_cast<std::size_t>(picture.cols) +
        static_cast<std::size_t>(col);
    // Rounds ink to 16 shades, so that more neighbours are equal.
    const double ink = std::round(15.0 * picture.pixels[at]) / 15.0;
    return mix(ground(row, col), kNotChosen, ink);
  };
  for (int row = 0; row < picture.rows; ++row) {
    for (int from = 0, to = 0; from < picture.cols; from = to) {
      const Color color = color_at(row, from);
      while (to < picture.cols && color_at(row, to) == color) {
        ++to;
      }
      if (!(color == kPaper)) {
        scene.rectangle({corner.x + from * pixel, corner.y + row * pixel},
                        (to - from) * pixel,
                        pixel,
                        color);
      }
    }
  }
}

void frame(Point corner, double wide, double high, Color color, Scene& scene) {
  scene.fine_line(corner, {corner.x + wide, corner.y}, color);
  scene.fine_line(
      {corner.x, corner.y + high}, {corner.x + wide, corner.y + high}, color);
  scene.fine_line(corner, {corner.x, corner.y + high}, color);
  scene.fine_line(
      {corner.x + wide, corner.y}, {corner.x + wide, corner.y + high}, color);
}

/// Draws the legend of background colours.
void draw_ground_key(const SparsityMap& map,
                     double y,
                     const ValueScale& scale,
                     const Words& words,
                     Scene& scene) {
  const auto label = [&](double x, const std::string& text) {
    scene.text({x, y + 11.0}, text, 10.0, Align::Left, kInk);
  };
  if (map.binary) {
    scene.rectangle({kMargin, y}, 16.0, 16.0, kChosen);
    label(kMargin + 24.0, words("chosen"));
    return;
  }
  constexpr int kSteps = 16;
  constexpr double kStep = 8.0;
  label(kMargin, "0");
  for (int i = 0; i < kSteps; ++i) {
    const double share = (i + 0.5) / kSteps;
    scene.rectangle({kMargin + 16.0 + i * kStep, y},
                    kStep,
                    16.0,
                    mix(kPaper, kChosen, share),
                    share);
  }
  label(kMargin + 24.0 + kSteps * kStep, format_fixed(scale.high, 2));
}

/// Draws the picture with one query's chosen patches.
void draw_query_over(const SparsityMap& map,
                     int query,
                     Point corner,
                     double pixel,
                     const ValueScale& scale,
                     Scene& scene) {
  const Picture& picture = *map.picture;
  const int rows = grid_rows(map.m);
  const int cols = map.m / rows;
  const auto ground = [&](int row, int col) {
    const int patch = row * rows / picture.rows * cols + col * cols / picture.cols;
    return ground_of(map, query, patch, scale);
  };
  draw_pixels(picture, corner, pixel, ground, scene);
  const double wide = picture.cols * pixel;
  const double high = picture.rows * pixel;
  frame(corner, wide, high, kGray, scene);
  for (int k = 0; k < map.m; ++k) {
    if (map.binary && value_of(map, query, k) > 0.0) {
      frame({corner.x + k % cols * wide / cols, corner.y + k / cols * high / rows},
            wide / cols,
            high / rows,
            kInk,
            scene);
    }
  }
}

}  // namespace

Scene draw_over_picture(const SparsityMap& map, const Look& look) {
  constexpr double kNatural = 800.0;
  constexpr double kSide = 112.0;
  const Picture& picture = *map.picture;
  const ValueScale scale = scale_of(map);
  Scene scene;
  const double room = (look.width > 0.0 ? look.width : kNatural) - 2.0 * kMargin;
  const double side = look.width > 0.0 ? 2.0 * kSide : kSide;  // larger in a terminal
  const double longer = std::max(picture.rows, picture.cols);
  const double pixel = std::min(std::max(1.0, std::floor(side / longer)),
                                room / static_cast<double>(picture.cols));
  const double step_x = picture.cols * pixel + kApart;
  const double step_y = picture.rows * pixel + kApart + kNameHeight;
  const int across =
      std::clamp(static_cast<int>((room + kApart) / step_x), 1, std::max(map.n, 1));
  const int down = (map.n + across - 1) / across;
  scene.width = look.width > 0.0
                    ? look.width
                    : std::max(2.0 * kMargin + across * step_x - kApart, 512.0);
  scene.height = kHeadingHeight + down * step_y + kValueKey;
  draw_map_heading(map, look.words, scene);
  if (map.binary) {
    scene.runs = {kChosen};
  }
  for (int query = 0; query < map.n; ++query) {
    const Point corner{kMargin + query % across * step_x,
                       kHeadingHeight + query / across * step_y};
    draw_query_over(map, query, corner, pixel, scale, scene);
    scene.text(
        {corner.x + 0.5 * picture.cols * pixel, corner.y + picture.rows * pixel + 12.0},
        look.words("Query-{0}", {format(query)}),
        9.0,
        Align::Center,
        kGray);
  }
  draw_ground_key(map, kHeadingHeight + down * step_y + 8.0, scale, look.words, scene);
  return scene;
}

Scene draw_gallery(const SparsityMap& map, const Look& look) {
  constexpr double kNatural = 880.0;
  constexpr double kFrame = 2.0;
  const Gallery& gallery = *map.gallery;
  const Picture& first = gallery.values.front();
  const ValueScale scale = scale_of(map);
  const double pixel = std::max(1.0, std::floor(28.0 / first.cols));
  const double step_x = first.cols * pixel + 2.0 * kFrame;
  const double step_y = first.rows * pixel + 4.0 * kFrame;
  const double left = kMargin + step_x + 2.0 * kApart;
  const double room = (look.width > 0.0 ? look.width : kNatural) - left - kMargin;
  const int across = std::clamp(static_cast<int>(room / step_x), 1, map.m);
  const int lines = (map.m + across - 1) / across;
  const double block = lines * step_y + kNameHeight;
  Scene scene;
  scene.width =
      look.width > 0.0 ? look.width : std::max(left + across * step_x + kMargin, 512.0);
  scene.height = kHeadingHeight + map.n * block + kNameHeight + kMargin;
  draw_map_heading(map, look.words, scene);
  if (map.binary) {
    scene.runs = {kChosen};
  }
  const auto paper = [](int, int) { return kPaper; };
  for (int query = 0; query < map.n; ++query) {
    const auto q = static_cast<std::size_t>(query);
    const double top = kHeadingHeight + query * block;
    scene.text({kMargin, top + 12.0}, map.query_names[q], 9.0, Align::Left, kGray);
    draw_pixels(gallery.queries[q], {kMargin, top + kNameHeight}, pixel, paper, scene);
    for (int k = 0; k < map.m; ++k) {
      const auto value = static_cast<std::size_t>(k);
      const Point corner{left + k % across * step_x,
                         top + kNameHeight + k / across * step_y};
      const Color ground = ground_of(map, query, k, scale);
      scene.rectangle({corner.x - kFrame, corner.y - kFrame},
                      step_x,
                      first.rows * pixel + 2.0 * kFrame,
                      ground,
                      ground == kPaper ? 0.0 : 1.0);
      // A terminal is too coarse for frames: fills the background.
      const Color inside = look.width > 0.0 ? ground : kPaper;
      scene.rectangle(corner,
                      first.cols * pixel,
                      first.rows * pixel,
                      inside,
                      inside == kPaper ? 0.0 : 1.0);
      draw_pixels(
          gallery.values[value],
          corner,
          pixel,
          [&](int, int) { return inside; },
          scene);
      if (gallery.right[q][value]) {
        const double y = corner.y + first.rows * pixel + 1.5 * kFrame;
        scene.fine_line({corner.x, y}, {corner.x + first.cols * pixel, y}, kInk, 2.0);
      }
    }
  }
  draw_note({kMargin, kHeadingHeight + map.n * block + 12.0},
            look.words("framed: chosen; underlined: in the sum"),
            9.0,
            kGray,
            scene);
  return scene;
}

}  // namespace oa::plot
