// Draws maps with queries as rows: of sequences, or with unequal numbers of values.
#include "oa/base/number.h"
#include "oa/base/utf8.h"
#include "oa/plot/axes.h"
#include "oa/plot/font.h"
#include "oa/plot/map/parts.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace oa::plot {
namespace {

constexpr double kRowText = 16.0;  // one row of a terminal
constexpr double kEnergy = 80.0;
constexpr int kMaxNameColumns = 24;

int size_of(const SparsityMap& map, int query) {
  return map.sizes.empty() ? map.m : map.sizes[static_cast<std::size_t>(query)];
}

int widest(const std::vector<std::string>& names) {
  int columns = 0;
  for (const std::string& name : names) {
    columns = std::max(columns, columns_of(name));
  }
  return std::min(columns, kMaxNameColumns);
}

/// Positions of the rows and of their names.
struct RowPlan {
  double left = kMargin + 32.0;
  double top = kHeadingHeight;
  double cell = 8.0;
  int labelled = 1;      ///< every `labelled`-th row has a label
  bool stacked = false;  ///< names of values are vertical

  RowPlan(const SparsityMap& map, const SparsitySettings& settings, double width) {
    constexpr double kRoom = 768.0;
    const bool named = !map.query_names.empty();
    if (named) {
      left = kMargin + std::max(32.0, 8.0 * widest(map.query_names) + 8.0);
    }
    const double least = settings.names || named ? 24.0
                         : settings.energies     ? 12.0
                                                 : 2.0;
    cell = std::clamp(std::floor(kRoom / std::max(map.n, map.m)), least, 24.0);
    if (width > 0.0) {
      const double room = width - left - (settings.energies ? kEnergy : 0.0) - kMargin;
      // Columns are whole columns of a terminal if the cells are large enough.
      const double fit = room / map.m;
      cell = std::clamp(fit < 8.0 ? fit : 8.0 * std::floor(fit / 8.0), 1.0, 24.0);
    }
    labelled = static_cast<int>(std::ceil((width > 0.0 ? kRowText : 12.0) / cell));
    if (!map.value_names.empty()) {
      const int columns = widest(map.value_names);
      stacked = columns > 1 && 8.0 * (columns + 1) > cell;
      top += kRowText * (stacked ? widest(map.value_names) : 1);
    }
  }
};

/// Draws a name above each column.  Vertical letters wider than a column label only
/// some of the columns.
void draw_value_names(const SparsityMap& map, const RowPlan& plan, Scene& scene) {
  const int every = std::max(1, static_cast<int>(std::ceil(8.0 / plan.cell)));
  const int lines = plan.stacked ? widest(map.value_names) : 1;
  for (int k = 0; k < map.m; k += every) {
    const std::string& name = map.value_names[static_cast<std::size_t>(k)];
    const double x = plan.left + (k + 0.5) * plan.cell;
    if (!plan.stacked) {
      scene.text({x, plan.top - 4.0}, name, 9.0, Align::Center, kGray);
      continue;
    }
    const std::u32string signs = code_points(name);
    const int count = std::min(lines, static_cast<int>(signs.size()));
    for (int i = 0; i < count; ++i) {
      const double y = plan.top - 4.0 - kRowText * (count - 1 - i);
      scene.text(
          {x, y}, utf8(signs[static_cast<std::size_t>(i)]), 9.0, Align::Center, kGray);
    }
  }
}

void draw_row_cells(const SparsityMap& map,
                    const RowPlan& plan,
                    int query,
                    const ValueScale& scale,
                    Scene& scene) {
  const int size = size_of(map, query);
  const double top = plan.top + query * plan.cell;
  for (int from = 0, to = 0; from < size; from = to) {
    const double value = value_of(map, query, from);
    while (to < size && value_of(map, query, to) == value) {
      ++to;
    }
    const double share = scale.share(value);
    scene.rectangle({plan.left + from * plan.cell, top},
                    (to - from) * plan.cell,
                    plan.cell,
                    color_of(map, value, share),
                    share);
  }
}

void draw_row_texts(const SparsityMap& map,
                    const SparsitySettings& settings,
                    const RowPlan& plan,
                    int query,
                    const ValueScale& scale,
                    Scene& scene) {
  const int size = size_of(map, query);
  const double line = plan.top + (query + 0.5) * plan.cell + 3.0;
  for (int k = 0; settings.names && k < size; ++k) {
    const bool light = scale.share(value_of(map, query, k)) > 0.5;
    scene.text({plan.left + (k + 0.5) * plan.cell, line},
               "V" + format(k),
               8.0,
               Align::Center,
               light ? kInk : kPaper);
  }
  if (query % plan.labelled == 0) {
    const auto q = static_cast<std::size_t>(query);
    scene.text({plan.left - 6.0, line},
               map.query_names.empty() ? format(query) : map.query_names[q],
               9.0,
               Align::Right,
               kGray);
  }
  if (settings.energies && !map.energy.empty()) {
    scene.text({plan.left + size * plan.cell + 6.0, line},
               format_fixed(map.energy[static_cast<std::size_t>(query)], 3),
               9.0,
               Align::Left,
               kInk);
  }
}

}  // namespace

Scene draw_rows(const SparsityMap& map,
                const SparsitySettings& settings,
                const Look& look) {
  const RowPlan plan(map, settings, look.width);
  const double bottom = plan.top + map.n * plan.cell;
  const ValueScale scale = scale_of(map);
  Scene scene;
  const double natural =
      plan.left + map.m * plan.cell + (settings.energies ? kEnergy : 0.0) + kMargin;
  scene.width = look.width > 0.0 ? look.width : std::max(natural, 512.0);
  scene.height = bottom + 32.0 + kValueKey;
  draw_map_heading(map, look.words, scene);
  if (!map.value_names.empty()) {
    draw_value_names(map, plan, scene);
  }
  for (int query = 0; query < map.n; ++query) {
    draw_row_cells(map, plan, query, scale, scene);
    draw_row_texts(map, settings, plan, query, scale, scene);
  }
  draw_note({plan.left, bottom + 16.0},
            look.words("each row a query, its values from left to right"),
            9.0,
            kGray,
            scene);
  draw_value_key(map, bottom + 28.0, scale, look.words, scene);
  return scene;
}

}  // namespace oa::plot
