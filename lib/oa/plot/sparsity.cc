#include "oa/plot/sparsity.h"

#include "oa/base/counted.h"
#include "oa/base/number.h"
#include "oa/plot/axes.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace oa::plot {
namespace {

constexpr double kMapTop = kHeadingHeight;
constexpr double kGap = 8.0;  // between queries
constexpr double kCaption = 16.0;
constexpr double kKey = 32.0;  // what the colours mean

/// The range of values that the colours show; it always has 0 in it.
struct Scale {
  double low = 0.0;
  double high = 0.0;

  [[nodiscard]] double share(double value) const {
    return high > low ? (value - low) / (high - low) : 0.0;
  }
};

Scale scale_of(const SparsityMap& map) {
  Scale scale{0.0, map.binary && map.images == 1 ? 1.0 : 0.0};
  for (const double value : map.value) {
    scale.low = std::min(scale.low, value);
    scale.high = std::max(scale.high, value);
  }
  return scale;
}

/// The places of all parts.
struct Plan {
  Plan(const SparsityMap& map, const SparsitySettings& settings)
      : rows(grid_rows(map.m)),
        cols(map.m / rows),
        across(static_cast<int>(std::ceil(std::sqrt(map.n)))),
        down((map.n + across - 1) / across) {
    if (map.n % grid_rows(map.n) == 0 && grid_rows(map.n) > 1) {
      down = grid_rows(map.n);
      across = map.n / down;
    }
    constexpr double kWide = 1200.0;  // cells of a wider grid get smaller
    const double room = kWide / across - kGap;
    cell = settings.names       ? 24.0
           : room >= 8.0 * cols ? 8.0
           : room >= 4.0 * cols ? 4.0
                                : 2.0;
    step_x = cols * cell + kGap;
    step_y = rows * cell + kGap + kCaption * (settings.energies ? 2 : 1);
    picture_x = kMargin + across * step_x + 2.0 * kGap;
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
  double picture_x = 0.0;
  double picture_pixel = 8.0;
};

std::string title_of(const SparsityMap& map) {
  const char* chosen = map.binary ? "Values chosen" : "Coefficients";
  const std::string head =
      map.heads == 1 ? "" : ", head " + format(map.head) + " of " + format(map.heads);
  if (map.images != 1) {
    return std::string(chosen) + ", mean of " + counted(map.images, "image") + head;
  }
  return std::string(chosen) + " for image " + format(map.index) + head +
         (map.label ? " (class " + format(*map.label) + ")" : std::string{});
}

std::string facts_of(const SparsityMap& map) {
  std::string facts = counted(map.n, "query", "queries") + " of " +
                      (map.sizes.empty() ? "" : "at most ") + counted(map.m, "value") +
                      "; ";
  facts += map.binary ? "on average " + format_fixed(map.mean_chosen(), 1) + " chosen"
                      : "mean sum " + format_fixed(map.mean_chosen(), 2);
  if (map.problems > 0) {
    facts += "; " + format_grouped(map.proved_optimal) + " of " +
             format_grouped(map.problems) + " proved optimal";
  }
  return facts;
}

double value_of(const SparsityMap& map, int query, int k) {
  return map.value[static_cast<std::size_t>(query) * static_cast<std::size_t>(map.m) +
                   static_cast<std::size_t>(k)];
}

/// Draws the lines of a grid as one line, back and forth: first the vertical ones, then
/// the horizontal ones.
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

Color color_of(const SparsityMap& map, double value, double share) {
  const bool two_colors = map.binary && map.images == 1;
  return two_colors ? (value > 0.0 ? kChosen : kNotChosen) : share_color(share);
}

/// Draws the values of a query; equal neighbours in a row become one rectangle.
void draw_cells(const SparsityMap& map,
                const Plan& plan,
                int query,
                const Scale& scale,
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
                const Scale& scale,
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
                int query,
                const Scale& scale,
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
             (wide >= 48.0 ? "Query-" : "") + format(query),
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

void draw_picture(const SparsityMap& map, const Plan& plan, Scene& scene) {
  const Picture& picture = *map.picture;
  const Point corner{plan.picture_x, kMapTop};
  const double pixel = plan.picture_pixel;
  for (int i = 0; i < picture.rows * picture.cols; ++i) {
    const double value = picture.pixels[static_cast<std::size_t>(i)];
    if (value > 0.0) {
      // High values are dark, as ink on paper; in a terminal without colour, too.
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
      "The image in its " + format(plan.rows) + "×" + format(plan.cols) + " patches",
      10.0,
      Align::Center,
      kGray);
}

/// Draws what the colours mean: two of them, or the scale.
void draw_key(const SparsityMap& map, double y, const Scale& scale, Scene& scene) {
  const auto label = [&](double x, const std::string& words) {
    scene.text({x, y + 11.0}, words, 10.0, Align::Left, kInk);
  };
  if (map.binary && map.images == 1) {
    scene.rectangle({kMargin, y}, 16.0, 16.0, kChosen);
    label(kMargin + 24.0, "chosen");
    scene.rectangle({kMargin + 96.0, y}, 16.0, 16.0, kNotChosen, 0.0);
    label(kMargin + 120.0, "not chosen");
    return;
  }
  constexpr int kSteps = 32;
  constexpr double kLength = 128.0;
  const std::string low = scale.low == 0.0 ? "0" : format_fixed(scale.low, 2);
  const double left = kMargin + (low.size() == 1 ? 16.0 : 48.0);
  label(kMargin, low);
  for (int i = 0; i < kSteps; ++i) {
    const double share = (i + 0.5) / kSteps;
    scene.rectangle({left + i * kLength / kSteps, y},
                    kLength / kSteps,
                    16.0,
                    share_color(share),
                    share);
  }
  label(left + 8.0 + kLength,
        format_fixed(scale.high, 2) +
            (map.binary ? " of the images choose the value" : ""));
}

/// Draws a row for each query, as long as it has values; equal neighbours in a row
/// become one rectangle.  What stands in cells and beside rows is as in a grid.
Scene draw_rows(const SparsityMap& map, const SparsitySettings& settings) {
  constexpr double kRoom = 768.0;
  constexpr double kLabel = 32.0;  // left of a row
  constexpr double kEnergy = 80.0;
  const double least = settings.names ? 24.0 : settings.energies ? 12.0 : 2.0;
  const double cell =
      std::clamp(std::floor(kRoom / std::max(map.n, map.m)), least, 24.0);
  const double left = kMargin + kLabel;
  const double bottom = kMapTop + map.n * cell;
  const Scale scale = scale_of(map);
  Scene scene;
  scene.title = title_of(map);
  scene.width = std::max(
      left + map.m * cell + (settings.energies ? kEnergy : 0.0) + kMargin, 512.0);
  scene.height = bottom + 32.0 + kKey;
  draw_heading(scene, facts_of(map));
  const int labelled = static_cast<int>(std::ceil(12.0 / cell));  // of so many rows one
  for (int query = 0; query < map.n; ++query) {
    const int size = map.sizes[static_cast<std::size_t>(query)];
    const double top = kMapTop + query * cell;
    const double line = top + 0.5 * cell + 3.0;  // of text
    for (int from = 0, to = 0; from < size; from = to) {
      const double value = value_of(map, query, from);
      while (to < size && value_of(map, query, to) == value) {
        ++to;
      }
      const double share = scale.share(value);
      const Color color = color_of(map, value, share);
      scene.rectangle(
          {left + from * cell, top}, (to - from) * cell, cell, color, share);
    }
    for (int k = 0; settings.names && k < size; ++k) {
      const bool light = scale.share(value_of(map, query, k)) > 0.5;
      scene.text({left + (k + 0.5) * cell, line},
                 "V" + format(k),
                 8.0,
                 Align::Center,
                 light ? kInk : kPaper);
    }
    if (query % labelled == 0) {
      scene.text({left - 6.0, line}, format(query), 9.0, Align::Right, kGray);
    }
    if (settings.energies && !map.energy.empty()) {
      scene.text({left + size * cell + 6.0, line},
                 format_fixed(map.energy[static_cast<std::size_t>(query)], 3),
                 9.0,
                 Align::Left,
                 kInk);
    }
  }
  scene.text({left, bottom + 16.0},
             "each row a query, its values from left to right",
             9.0,
             Align::Left,
             kGray);
  draw_key(map, bottom + 28.0, scale, scene);
  return scene;
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

Scene draw(const SparsityMap& map, const SparsitySettings& settings) {
  if (!map.sizes.empty()) {
    return draw_rows(map, settings);
  }
  Plan plan(map, settings);
  const Scale scale = scale_of(map);
  Scene scene;
  scene.title = title_of(map);
  scene.width = kMargin + plan.across * plan.step_x - kGap + kMargin;
  scene.height = kMapTop + plan.down * plan.step_y + kKey;
  if (map.picture) {
    constexpr double kPictureHeight = 224.0;
    plan.picture_pixel = std::max(1.0, std::floor(kPictureHeight / map.picture->rows));
    scene.width = plan.picture_x + map.picture->cols * plan.picture_pixel + kMargin;
    scene.height =
        std::max(scene.height, kMapTop + map.picture->rows * plan.picture_pixel + kKey);
  }
  scene.width = std::max(scene.width, 512.0);
  draw_heading(scene, facts_of(map));
  for (int query = 0; query < map.n; ++query) {
    draw_query(map, settings, plan, query, scale, scene);
  }
  draw_key(map, kMapTop + plan.down * plan.step_y + 8.0, scale, scene);
  if (map.picture) {
    draw_picture(map, plan, scene);
  }
  return scene;
}

}  // namespace oa::plot
