#include "oa/plot/targets.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <variant>

using namespace oa;

namespace {

/// The lines of solvers, in their order: those of the chart itself are thin.
std::vector<plot::Line> solver_lines(const plot::Scene& scene) {
  std::vector<plot::Line> lines;
  for (const plot::Item& item : scene.items) {
    if (const auto* line = std::get_if<plot::Line>(&item);
        line != nullptr && line->width >= 2.0) {
      lines.push_back(*line);
    }
  }
  return lines;
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

TEST_SUITE_END();
