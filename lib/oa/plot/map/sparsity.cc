#include "oa/plot/map/sparsity.h"

#include "oa/base/number.h"
#include "oa/plot/axes.h"
#include "oa/plot/map/parts.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace oa::plot {
namespace {

constexpr double kMapTop = kHeadingHeight;
constexpr double kGap = 8.0;  // distance between queries
constexpr double kCaption = 16.0;

/// Positions of all parts of the scene.
struct Plan {
  Plan(const SparsityMap& map, const SparsitySettings& settings, double wanted)
      : rows(grid_rows(map.m)),
        cols(map.m / rows),
        across(static_cast<int>(std::ceil(std::sqrt(map.n)))),
        down((map.n + across - 1) / across) {
    if (map.n % grid_rows(map.n) == 0 && grid_rows(map.n) > 1) {
      down = grid_rows(map.n);
      across = map.n / down;
    }
    constexpr double kWide = 1200.0;  // wider scenes get smaller cells
    set_cell(settings, kWide / across - kGap);
    lay_out(map);
    if (wanted > 0.0 && width > wanted) {
      fit(map, settings, wanted);
    }
  }

  [[nodiscard]] Point corner(int query) const {
    return {kMargin + (query % across) * step_x, kMapTop + (query / across) * step_y};
  }

  int rows;
  int cols;
  int across;
  int down;
  double cell = 8.0;
  double step_x = 0.0;
  double step_y = 0.0;
  Point picture;
  double picture_pixel = 8.0;
  double width = 0.0;  ///< width of the scene
  double height = 0.0;

 private:
  void set_cell(const SparsitySettings& settings, double room) {
    cell = settings.names       ? 24.0
           : room >= 8.0 * cols ? 8.0
           : room >= 4.0 * cols ? 4.0
                                : 2.0;
    step_x = cols * cell + kGap;
    step_y = rows * cell + kGap + kCaption * (settings.energies ? 2 : 1);
  }

  /// Places the picture to the right of the queries.
  void lay_out(const SparsityMap& map) {
    width = kMargin + across * step_x - kGap + kMargin;
    height = kMapTop + down * step_y + kValueKey;
    if (map.picture) {
      constexpr double kPictureHeight = 224.0;
      picture = {kMargin + across * step_x + 2.0 * kGap, kMapTop};
      picture_pixel = std::max(1.0, std::floor(kPictureHeight / map.picture->rows));
      width = picture.x + map.picture->cols * picture_pixel + kMargin;
      height =
          std::max(height, kMapTop + map.picture->rows * picture_pixel + kValueKey);
    }
    width = std::max(width, 512.0);
  }

  /// Fits the largest number of queries side by side, with the picture below.
  void fit(const SparsityMap& map, const SparsitySettings& settings, double wanted) {
    width = wanted;
    const double room = width - 2.0 * kMargin;
    set_cell(settings, room);
    across = std::clamp(static_cast<int>((room + kGap) / step_x), 1, across);
    down = (map.n + across - 1) / across;
    height = kMapTop + down * step_y + kValueKey;
    if (map.picture) {
      picture = {kMargin, height + kGap};
      picture_pixel = std::clamp(std::floor(room / map.picture->cols), 1.0, 8.0);
      height = picture.y + map.picture->rows * picture_pixel + kValueKey;
    }
  }
};

/// Draws a grid as one zigzag line: vertical lines, then horizontal lines.
void draw_grid(
    Point corner, int rows, int cols, double cell, Color color, Scene& scene) {
  const double right = corner.x + cols * cell;
  const double bottom = corner.y + rows * cell;
  Line line{{}, color, 0.5, false, true};
  for (int i = 0; i <= cols; ++i) {
    const double x = corner.x + i * cell;
    line.points.push_back({x, i % 2 == 0 ? corner.y : bottom});
    line.points.push_back({x, i % 2 == 0 ? bottom : corner.y});
  }
  const bool from_bottom = cols % 2 == 0;
  for (int i = 0; i <= rows; ++i) {
    const double y = from_bottom ? bottom - i * cell : corner.y + i * cell;
    line.points.push_back({i % 2 == 0 ? right : corner.x, y});
    line.points.push_back({i % 2 == 0 ? corner.x : right, y});
  }
  scene.items.emplace_back(std::move(line));
}

/// Draws the values of a query; joins equal neighbours of a row into one rectangle.
void draw_cells(const SparsityMap& map,
                const Plan& plan,
                int query,
                const ValueScale& scale,
                Scene& scene) {
  const Point corner = plan.corner(query);
  for (int row = 0; row < plan.rows; ++row) {
    for (int from = 0, to = 0; from < plan.cols; from = to) {
      const double value = value_of(map, query, row * plan.cols + from);
      while (to < plan.cols && value_of(map, query, row * plan.cols + to) == value) {
        ++to;
      }
      const double share = scale.share(value);
      scene.rectangle({corner.x + from * plan.cell, corner.y + row * plan.cell},
                      (to - from) * plan.cell,
                      plan.cell,
                      color_of(map, value, share),
                      share);
    }
  }
}

void draw_names(const SparsityMap& map,
                const Plan& plan,
                int query,
                const ValueScale& scale,
                Scene& scene) {
  const Point corner = plan.corner(query);
  for (int k = 0; k < map.m; ++k) {
    const bool light = scale.share(value_of(map, query, k)) > 0.5;
    scene.text({corner.x + (k % plan.cols + 0.5) * plan.cell,
                corner.y + (k / plan.cols + 0.5) * plan.cell + 3.0},
               "V" + format(k),
               8.0,
               Align::Center,
               light ? kInk : kPaper);
  }
}

void draw_query(const SparsityMap& map,
                const SparsitySettings& settings,
                const Plan& plan,
                const Words& words,
                int query,
                const ValueScale& scale,
                Scene& scene) {
  const Point corner = plan.corner(query);
  draw_cells(map, plan, query, scale, scene);
  if (plan.cell >= 4.0) {
    const Color color = mix(kNotChosen, kPaper, 0.35);
    draw_grid(corner, plan.rows, plan.cols, plan.cell, color, scene);
  }
  if (settings.names) {
    draw_names(map, plan, query, scale, scene);
  }
  const double wide = plan.cols * plan.cell;
  const double middle = corner.x + 0.5 * wide;
  const double bottom = corner.y + plan.rows * plan.cell;
  scene.text({middle, bottom + 12.0},
             wide >= 48.0 ? words("Query-{0}", {format(query)}) : format(query),
             9.0,
             Align::Center,
             kGray);
  if (settings.energies && !map.energy.empty()) {
    scene.text({middle, bottom + 28.0},
               format_fixed(map.energy[static_cast<std::size_t>(query)], 3),
               9.0,
               Align::Center,
               kInk);
  }
}

void draw_picture(const SparsityMap& map,
                  const Plan& plan,
                  const Words& words,
                  Scene& scene) {
  const Picture& picture = *map.picture;
  const Point corner = plan.picture;
  const double pixel = plan.picture_pixel;
  for (int i = 0; i < picture.rows * picture.cols; ++i) {
    const double value = picture.pixels[static_cast<std::size_t>(i)];
    if (value > 0.0) {
      // High values are dark, like ink on paper, even in a terminal without colour.
      scene.rectangle({corner.x + (i % picture.cols) * pixel,
                       corner.y + (i / picture.cols) * pixel},
                      pixel,
                      pixel,
                      mix(kPaper, kNotChosen, value),
                      value);
    }
  }
  const double wide = picture.cols * pixel;
  const double high = picture.rows * pixel;
  for (int i = 0; i <= plan.cols; ++i) {
    const double x = corner.x + wide * i / plan.cols;
    scene.fine_line({x, corner.y}, {x, corner.y + high}, kChosen);
  }
  for (int i = 0; i <= plan.rows; ++i) {
    const double y = corner.y + high * i / plan.rows;
    scene.fine_line({corner.x, y}, {corner.x + wide, y}, kChosen);
  }
  scene.text(
      {corner.x + 0.5 * wide, corner.y + high + 20.0},
      words("The image in its {0}×{1} patches", {format(plan.rows), format(plan.cols)}),
      10.0,
      Align::Center,
      kGray);
}

}  // namespace

double SparsityMap::mean_chosen() const {
  return n > 0 ? std::accumulate(value.begin(), value.end(), 0.0) / n : 0.0;
}

int grid_rows(int count) {
  int rows = static_cast<int>(std::sqrt(count));
  while (rows > 1 && count % rows != 0) {
    --rows;
  }
  return std::max(rows, 1);
}

Scene draw(const SparsityMap& map, const SparsitySettings& settings, const Look& look) {
  if (map.gallery) {
    return draw_gallery(map, look);
  }
  if (map.over_picture && map.picture) {
    return draw_over_picture(map, look);
  }
  if (!map.sizes.empty() || !map.query_names.empty()) {
    return draw_rows(map, settings, look);
  }
  const Plan plan(map, settings, look.width);
  const ValueScale scale = scale_of(map);
  Scene scene;
  scene.width = plan.width;
  scene.height = plan.height;
  draw_map_heading(map, look.words, scene);
  for (int query = 0; query < map.n; ++query) {
    draw_query(map, settings, plan, look.words, query, scale, scene);
  }
  draw_value_key(
      map, kMapTop + plan.down * plan.step_y + 8.0, scale, look.words, scene);
  if (map.picture) {
    draw_picture(map, plan, look.words, scene);
  }
  return scene;
}

}  // namespace oa::plot
