#include "oa/plot/chart/gaps.h"

#include "unit/plot/items.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

using namespace oa;

namespace {

plot::Line longest_line(const plot::Scene& scene) {
  const auto lines = test::items_of<plot::Line>(
      scene, [](const plot::Line& line) { return !line.fine; });
  REQUIRE_FALSE(lines.empty());
  return *std::ranges::max_element(
      lines, {}, [](const plot::Line& line) { return line.points.size(); });
}

}  // namespace

TEST_SUITE_BEGIN("plot");

TEST_CASE("the share of problems within a gap never falls, and ends at all") {
  plot::Gaps gaps;
  gaps.runs.push_back({"some", 20, {0.001, 0.002, 0.01, 0.5}, 1.0});
  gaps.runs.push_back({"all", 24, {}, 1.0});
  CHECK(gaps.runs[0].problems() == 24);
  CHECK(gaps.runs[0].mean() == doctest::Approx(0.513 / 24));
  CHECK(gaps.runs[1].worst() == 0.0);
  const plot::Scene scene = plot::draw(gaps);
  const plot::Line line = longest_line(scene);
  CHECK(std::ranges::is_sorted(line.points, {}, &plot::Point::x));
  CHECK(std::ranges::is_sorted(line.points, std::greater{}, &plot::Point::y));
  CHECK(line.points.front().y > line.points.back().y);
}

TEST_CASE("near 100 % the share beyond the gap is drawn, on a logarithmic axis") {
  plot::Gaps gaps;
  gaps.runs.push_back({"good", 9'998, {0.001, 0.1}, 1.0});
  gaps.runs.push_back({"better", 9'999, {0.001}, 1.0});
  const plot::Scene scene = plot::draw(gaps);
  const plot::Line line = longest_line(scene);
  CHECK(std::ranges::is_sorted(line.points, {}, &plot::Point::y));  // it falls
  // From 2 to 1 of 10,000 is 0.3 of a power of ten: far more than a pixel.
  CHECK(line.points[1].y - line.points[0].y < 1e-9);
  CHECK(line.points[2].y - line.points[1].y > 30.0);
  CHECK(test::has_text(scene, "problems beyond the gap"));
  CHECK(test::has_text(scene, "0.01 %"));
}

TEST_CASE("the chart is not empty if all solvers find every optimum") {
  plot::Gaps gaps;
  gaps.runs.push_back({"all", 5, {}, 0.0});
  const plot::Scene scene = plot::draw(gaps);
  CHECK(longest_line(scene).points.size() >= 2);
}

TEST_SUITE_END();
