#include "oa/plot/scene.h"

#include <utility>

namespace oa::plot {

void Scene::retitle(const std::string& words) {
  for (Item& item : items) {
    if (auto* text = std::get_if<Text>(&item); text != nullptr && text->text == title) {
      text->text = words;
      break;
    }
  }
  title = words;
}

void Scene::area(std::vector<Point> outline, Color color, double ink, double opacity) {
  items.emplace_back(Area{std::move(outline), color, ink, opacity});
}

void Scene::rectangle(
    Point corner, double w, double h, Color color, double ink, double opacity) {
  const double right = corner.x + w;
  const double bottom = corner.y + h;
  area({corner, {right, corner.y}, {right, bottom}, {corner.x, bottom}},
       color,
       ink,
       opacity);
}

void Scene::line(std::vector<Point> points, Color color, double line_width) {
  items.emplace_back(Line{std::move(points), color, line_width, false, false});
}

void Scene::fine_line(Point from, Point to, Color color, double line_width) {
  items.emplace_back(Line{{from, to}, color, line_width, false, true});
}

void Scene::text(Point at, std::string words, double size, Align align, Color color) {
  items.emplace_back(Text{at, std::move(words), size, align, color, false, false});
}

}  // namespace oa::plot
