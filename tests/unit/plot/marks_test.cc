#include "oa/plot/marks.h"

#include "oa/plot/chart/curves.h"
#include "oa/plot/palette.h"
#include "oa/plot/terminal.h"
#include "unit/plot/items.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace oa;

namespace {

using Shape = std::vector<std::pair<double, double>>;

Shape shape_of(int run) {
  plot::Scene scene;
  plot::draw_mark(run, {0.0, 0.0}, 1.0, plot::kInk, scene);
  Shape shape;
  for (const plot::Point p : std::get<plot::Line>(scene.items.front()).points) {
    shape.emplace_back(p.x, p.y);
  }
  return shape;
}

/// Thin lines of the colour of run k: its marks.
std::size_t marks_of(int run, const plot::Scene& scene) {
  return test::items_of<plot::Line>(scene,
                                    [&](const plot::Line& line) {
                                      return line.fine &&
                                             line.color == plot::series_color(run);
                                    })
      .size();
}

}  // namespace

TEST_SUITE_BEGIN("plot");

TEST_CASE("as many runs as there are marks have marks of their own") {
  for (int a = 0; a < plot::kMarks; ++a) {
    for (int b = 0; b < a; ++b) {
      CHECK(shape_of(a) != shape_of(b));
    }
  }
  CHECK(shape_of(plot::kMarks) == shape_of(0));
}

TEST_CASE("several runs have marks, one needs none, and terminals show none") {
  std::vector<score::Curve> curves(2);
  for (score::Curve& curve : curves) {
    for (const double epoch : {1.0, 2.0, 3.0, 4.0, 5.0}) {
      curve.epochs.push_back({epoch, 1.0 / epoch, 0.1 * epoch, {}, {}});
    }
  }
  const plot::Scene both = plot::draw(curves);
  CHECK(marks_of(0, both) >= 4);
  CHECK(marks_of(1, both) >= 4);
  plot::Scene without = both;
  std::erase_if(without.items, [](const plot::Item& item) {
    const auto* line = std::get_if<plot::Line>(&item);
    return line != nullptr && line->fine;
  });
  CHECK(plot::terminal_drawing(both, {}) == plot::terminal_drawing(without, {}));
  curves.pop_back();
  CHECK(marks_of(0, plot::draw(curves)) == 0);
}

TEST_CASE("the marks of runs lie at points, and no two at the same one") {
  for (const int count : {1, 2, 3, 7, 40, 1000}) {
    for (const int runs : {2, 3, 8}) {
      CAPTURE(count);
      CAPTURE(runs);
      std::vector<plot::Point> points;
      for (int i = 0; i < count; ++i) {
        points.push_back({400.0 * i / count, 8.0});
      }
      std::vector<double> places;
      for (int run = 0; run < runs; ++run) {
        plot::Scene scene;
        plot::draw_points_of_run(run, runs, points, plot::kInk, scene);
        std::vector<double> own;
        for (const plot::Item& item : scene.items) {
          if (const auto* line = std::get_if<plot::Line>(&item)) {
            const auto [low, high] =
                std::ranges::minmax(line->points, {}, &plot::Point::x);
            own.push_back(0.5 * (low.x + high.x));
          }
        }
        CHECK(own.size() >= 1);
        CHECK(own.size() <= 20);
        places.insert(places.end(), own.begin(), own.end());
      }
      std::ranges::sort(places);
      for (std::size_t i = 1; i < places.size() && count >= runs; ++i) {
        CHECK(places[i] - places[i - 1] > 0.5 * 400.0 / count);
      }
    }
  }
}

TEST_CASE("in a terminal without colour runs on the same line take turns") {
  const std::vector<score::Curve> curves(
      3, {"run", {{1.0, 1.0, 0.5, {}, {}}, {2.0, 1.0, 0.5, {}, {}}}, false});
  const std::string text = plot::terminal_drawing(plot::draw(curves), {});
  CHECK(text.find("abcabcabc") != std::string::npos);
}

TEST_SUITE_END();
