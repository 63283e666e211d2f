#include "oa/plot/map/parts.h"

#include "oa/base/number.h"
#include "oa/plot/axes.h"
#include "oa/plot/font.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cstddef>

namespace oa::plot {
namespace {

std::string title_of(const SparsityMap& map, const Words& words) {
  const std::string what = words(map.weights  ? "Weights"
                                 : map.binary ? "Values chosen"
                                              : "Coefficients");
  std::string title;
  if (map.images != 1) {
    title =
        words("{0}, mean of {1}", {what, words.count(map.images, "image", "images")});
  } else {
    title = words(map.sequence ? "{0} for sequence {1}" : "{0} for image {1}",
                  {what, format(map.index)});
  }
  if (map.heads != 1) {
    title += words(", head {0} of {1}", {format(map.head), format(map.heads)});
  }
  return map.images == 1 && map.label
             ? title + words(" (class {0})", {format(*map.label)})
             : title;
}

std::string map_facts(const SparsityMap& map, const Words& words) {
  std::string facts = words(map.sizes.empty() ? "{0} of {1}" : "{0} of at most {1}",
                            {words.count(map.n, "query", "queries"),
                             words.count(map.m, "value", "values")}) +
                      words("; ");
  facts += map.binary
               ? words("on average {0} chosen", {format_fixed(map.mean_chosen(), 1)})
               : words("mean sum {0}", {format_fixed(map.mean_chosen(), 2)});
  if (map.problems > 0) {
    facts += words("; ") +
             words("{0} of {1} proved optimal",
                   {format_grouped(map.proved_optimal), format_grouped(map.problems)});
  }
  return facts;
}

}  // namespace

ValueScale scale_of(const SparsityMap& map) {
  ValueScale scale{0.0, map.binary && map.images == 1 ? 1.0 : 0.0};
  for (const double value : map.value) {
    scale.low = std::min(scale.low, value);
    scale.high = std::max(scale.high, value);
  }
  return scale;
}

double value_of(const SparsityMap& map, int query, int k) {
  return map.value[static_cast<std::size_t>(query) * static_cast<std::size_t>(map.m) +
                   static_cast<std::size_t>(k)];
}

Color color_of(const SparsityMap& map, double value, double share) {
  const bool two_colors = map.binary && map.images == 1;
  return two_colors ? (value > 0.0 ? kChosen : kNotChosen) : share_color(share);
}

void draw_map_heading(const SparsityMap& map, const Words& words, Scene& scene) {
  scene.title = title_of(map, words);
  draw_heading(scene, map_facts(map, words));
}

void draw_value_key(const SparsityMap& map,
                    double y,
                    const ValueScale& scale,
                    const Words& words,
                    Scene& scene) {
  const auto label = [&](double x, const std::string& text) {
    scene.text({x, y + 11.0}, text, 10.0, Align::Left, kInk);
  };
  if (map.binary && map.images == 1) {
    const double second = kMargin + 96.0;
    scene.rectangle({kMargin, y}, 16.0, 16.0, kChosen);
    label(kMargin + 24.0, words("chosen"));
    scene.rectangle({second, y}, 16.0, 16.0, kNotChosen, 0.0);
    label(second + 24.0, words("not chosen"));
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
  const std::string high = map.binary ? words("{0} of the images choose the value",
                                              {format_fixed(scale.high, 2)})
                                      : format_fixed(scale.high, 2);
  const double right = left + 8.0 + kLength;
  if (right + 8.0 * columns_of(high) <= scene.width) {
    label(right, high);
  } else {
    scene.text({kMargin, y + 27.0}, high, 10.0, Align::Left, kInk);
    scene.height = std::max(scene.height, y + 40.0);
  }
}

}  // namespace oa::plot
