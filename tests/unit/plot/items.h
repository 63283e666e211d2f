#pragma once

#include "oa/plot/scene.h"

#include <string>
#include <variant>
#include <vector>

namespace oa::test {

/// The lines, texts or areas of a scene for which `wanted` holds, in their order.
template <class Shape, class Wanted>
[[nodiscard]] std::vector<Shape> items_of(const plot::Scene& scene,
                                          const Wanted& wanted) {
  std::vector<Shape> all;
  for (const plot::Item& item : scene.items) {
    if (const auto* shape = std::get_if<Shape>(&item);
        shape != nullptr && wanted(*shape)) {
      all.push_back(*shape);
    }
  }
  return all;
}

/// The texts that begin with `begin`.
[[nodiscard]] inline std::vector<plot::Text> texts_of(const plot::Scene& scene,
                                                      const std::string& begin = {}) {
  return items_of<plot::Text>(
      scene, [&](const plot::Text& text) { return text.text.starts_with(begin); });
}

[[nodiscard]] inline bool has_text(const plot::Scene& scene, const std::string& words) {
  return !items_of<plot::Text>(scene, [&](const plot::Text& text) {
            return text.text == words;
          }).empty();
}

/// The area of the rectangles of a colour.
[[nodiscard]] inline double painted(const plot::Scene& scene, plot::Color color) {
  double sum = 0.0;
  for (const plot::Area& area : items_of<plot::Area>(
           scene, [&](const plot::Area& a) { return a.color == color; })) {
    sum += (area.outline[2].x - area.outline[0].x) *
           (area.outline[2].y - area.outline[0].y);
  }
  return sum;
}

}  // namespace oa::test
