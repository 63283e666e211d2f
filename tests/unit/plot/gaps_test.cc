#include "oa/plot/gaps.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <variant>

using namespace oa;

namespace {

const plot::Line& longest_line(const plot::Scene& scene) {
  const plot::Line* longest = nullptr;
  for (const plot::Item& item : scene.items) {
    const auto* line = std::get_if<plot::Line>(&item);
    if (line != nullptr &&
        (longest == nullptr || line->points.size() > longest->points.size())) {
      longest = line;
    }
  }
  REQUIRE(longest != nullptr);
  return *longest;
}

}  // namespace

TEST_SUITE_BEGIN("plot");

TEST_CASE("the share of problems within a gap never falls, and ends at all") {
  plot::Gaps gaps;
  gaps.runs.push_back({"some", 50, {0.001, 0.002, 0.01, 0.5}, 1.0});
  gaps.runs.push_back({"all", 54, {}, 1.0});
  CHECK(gaps.runs[0].problems() == 54);
  CHECK(gaps.runs[0].mean() == doctest::Approx(0.513 / 54));
  CHECK(gaps.runs[1].worst() == 0.0);
  const plot::Scene scene = plot::draw(gaps);
  const plot::Line& line = longest_line(scene);
  CHECK(std::ranges::is_sorted(line.points, {}, &plot::Point::x));
  CHECK(std::ranges::is_sorted(line.points, std::greater{}, &plot::Point::y));
  CHECK(line.points.front().y > line.points.back().y);
}

TEST_CASE("the chart is not empty if all solvers find every optimum") {
  plot::Gaps gaps;
  gaps.runs.push_back({"all", 5, {}, 0.0});
  const plot::Scene scene = plot::draw(gaps);
  CHECK(longest_line(scene).points.size() >= 2);
}

TEST_SUITE_END();
