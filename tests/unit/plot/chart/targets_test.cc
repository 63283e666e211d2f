#include "oa/plot/chart/targets.h"

#include "unit/plot/items.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace oa;

namespace {

/// The lines of solvers, in their order, without the narrow lines of the chart itself.
std::vector<plot::Line> solver_lines(const plot::Scene& scene) {
  return test::items_of<plot::Line>(
      scene, [](const plot::Line& line) { return line.width >= 2.0; });
}

}  // namespace

TEST_SUITE_BEGIN("plot");

TEST_CASE("the median counts the runs that never reached the target") {
  using Solver = plot::Targets::Solver;
  CHECK(Solver{"a", 3, {1.0, 2.0, 3.0}}.median() == 2.0);
  CHECK(Solver{"a", 4, {1.0, 2.0}}.median() == 2.0);
  CHECK(std::isinf(Solver{"a", 5, {1.0, 2.0}}.median()));
  CHECK(std::isinf(Solver{"a", 0, {}}.median()));
}

TEST_CASE("the range of the median is between two of the times") {
  using Solver = plot::Targets::Solver;
  CHECK_FALSE(Solver{"a", 4, {1.0, 2.0, 3.0, 4.0}}.median_interval());  // 7/8
  const auto five =
      Solver{"a", 5, {1.0, 2.0, 3.0, 4.0, 5.0}}.median_interval();  // 15/16
  REQUIRE(five);
  CHECK(five->low == 1.0);
  CHECK(five->high == 5.0);
  // 11 runs: fewer than 3 below the median have 67/2048, fewer than 4 have 232/2048.
  const auto eleven =
      Solver{"a", 11, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0}}.median_interval();
  REQUIRE(eleven);
  CHECK(eleven->low == 3.0);
  CHECK(std::isinf(eleven->high));  // the ninth never came
  CHECK_FALSE(Solver{"a", 11, {1.0, 2.0}}.median_interval());
  CHECK_FALSE(Solver{"a", 0, {}}.median_interval());
  // 2000 runs: 1000 -+ 1.645 sqrt(500), where powers of 1/2 are no doubles any more.
  Solver many{"a", 2000, {}};
  for (int i = 1; i <= many.runs; ++i) {
    many.seconds.push_back(i);
  }
  CHECK(many.median_interval()->low == doctest::Approx(963.0).epsilon(0.001));
  CHECK(many.median_interval()->high == doctest::Approx(1038.0).epsilon(0.001));
}

TEST_CASE("the line of a solver ends on top if it always reaches the target") {
  plot::Targets targets{"G", 10.0, {}};
  targets.solvers.push_back({"always", 3, {0.0, 0.5, 20.0}});
  targets.solvers.push_back({"half", 2, {3.0}});
  targets.solvers.push_back({"never", 2, {}});
  const auto lines = solver_lines(plot::draw(targets));
  REQUIRE(lines.size() == 3);
  for (const plot::Line& line : lines) {
    CHECK(std::ranges::is_sorted(line.points, {}, &plot::Point::x));
    CHECK(std::ranges::is_sorted(line.points, std::greater{}, &plot::Point::y));
  }
  const double top = lines[0].points.back().y;
  const double bottom = lines[2].points.back().y;
  CHECK(lines[2].points.front().y == bottom);
  CHECK(lines[1].points.back().y == doctest::Approx((top + bottom) / 2.0));
}

TEST_CASE("runs that never reach the target still have a chart") {
  const plot::Targets targets{"G", 10.0, {{"never", 2, {}}}};
  const auto lines = solver_lines(plot::draw(targets));
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].points.size() >= 2);
}

TEST_CASE("the range of the median lies across the steps, at one half") {
  plot::Targets targets{"G", 10.0, {{"a", 5, {0.2, 0.5, 1.0, 2.0, 5.0}}}};
  const plot::Scene scene = plot::draw(targets);
  const auto steps = solver_lines(scene);
  REQUIRE(steps.size() == 1);
  const double top = steps[0].points.back().y;
  const double bottom = steps[0].points.front().y;
  const auto middle = test::items_of<plot::Line>(scene, [&](const plot::Line& line) {
    return line.width == 1.0 && line.points.size() == 2 &&
           line.points[0].y == doctest::Approx((top + bottom) / 2.0) &&
           line.points[1].y == line.points[0].y && line.color == steps[0].color;
  });
  CHECK_FALSE(middle.empty());
}

TEST_SUITE_END();
