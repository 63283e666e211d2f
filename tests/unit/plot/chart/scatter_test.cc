#include "oa/plot/chart/scatter.h"

#include "oa/plot/palette.h"
#include "unit/plot/items.h"

#include <doctest/doctest.h>

#include <vector>

using namespace oa;

namespace {

/// The lines in the colour of group k.
std::vector<plot::Line> lines_of(const plot::Scene& scene, int k) {
  return test::items_of<plot::Line>(scene, [&](const plot::Line& line) {
    return line.color == plot::series_color(k) && line.width == 1.5;
  });
}

}  // namespace

TEST_SUITE_BEGIN("plot");

TEST_CASE("a line joins the points of a group in order; a single point has no line") {
  const score::Scatter scatter{
      "spins",
      "right",
      {{"a", {{4.0, 1.0, "four"}, {1.0, 2.0, ""}, {2.0, 3.0, ""}}},
       {"b", {{3.0, 2.0, ""}}}}};
  const plot::Scene scene = plot::draw(scatter);
  const auto lines = lines_of(scene, 0);
  REQUIRE(lines.size() == 1);
  REQUIRE(lines[0].points.size() == 3);
  CHECK(lines[0].points[0].x > lines[0].points[2].x);
  CHECK(lines[0].points[1].x < lines[0].points[2].x);
  CHECK(lines[0].points[0].y > lines[0].points[2].y);  // y of a picture goes down
  CHECK(lines_of(scene, 1).empty());
  CHECK(scene.title == "right against spins");
  CHECK(test::has_text(scene, "four"));
  CHECK(test::has_text(scene, "b"));
}

TEST_CASE("a wide range of positive numbers has a logarithmic axis") {
  const auto middle = [](double low, double between, double high) {
    const score::Scatter scatter{
        "x", "y", {{"a", {{low, 1.0, ""}, {between, 1.5, ""}, {high, 2.0, ""}}}}};
    const auto lines = lines_of(plot::draw(scatter), 0);
    const auto& p = lines.at(0).points;
    return (p[1].x - p[0].x) / (p[2].x - p[0].x);
  };
  CHECK(middle(1.0, 10.0, 100.0) == doctest::Approx(0.5));
  CHECK(middle(1.0, 5.5, 10.0) == doctest::Approx(0.5));
  CHECK(middle(0.0, 50.0, 100.0) == doctest::Approx(0.5));
}

TEST_SUITE_END();
