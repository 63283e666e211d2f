#include "oa/plot/chart/bench.h"

#include "unit/plot/items.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace oa;
using score::BenchChart;

namespace {

BenchChart::Line line_of(const std::string& name, double power) {
  BenchChart::Line line{name, {}};
  for (const double n : {10.0, 100.0, 1000.0}) {
    const double ms = std::pow(n / 10.0, power);
    line.points.push_back({n, ms, 1e6 * n, 1e5 * n, 100.0 * n});
  }
  return line;
}

BenchChart chart_of(int lines) {
  BenchChart chart{"P", 100.0, 10.0, {}};
  for (int k = 0; k < lines; ++k) {
    chart.lines.push_back(line_of("kind " + std::to_string(k), 1.0));
  }
  return chart;
}

}  // namespace

TEST_SUITE_BEGIN("plot");

TEST_CASE("the power of a time is that of its line in logarithms") {
  CHECK(line_of("a", 2.0).power().value_or(0.0) == doctest::Approx(2.0));
  CHECK(line_of("a", 0.5).power().value_or(0.0) == doctest::Approx(0.5));
  BenchChart::Line one = line_of("a", 1.0);
  one.points.resize(1);
  CHECK_FALSE(one.power());
  one.points.push_back(one.points.front());
  CHECK_FALSE(one.power());
}

TEST_CASE("every kind has its name in each chart, and no two names overlap") {
  const plot::Scene scene = plot::draw(chart_of(40));
  const std::vector<plot::Text> names = test::texts_of(scene, "kind ");
  REQUIRE(names.size() == 3 * 40);
  std::vector<double> heights;
  for (const plot::Text& name : names) {
    heights.push_back(name.at.y);
    CHECK(name.at.y < scene.height);
  }
  std::ranges::sort(heights);
  for (std::size_t k = 1; k < heights.size(); ++k) {
    CHECK(heights[k] - heights[k - 1] > 15.9);
  }
}

TEST_CASE("many kinds have the colours of their families, and marks of their own") {
  BenchChart chart = chart_of(12);
  for (std::size_t k = 0; k < chart.lines.size(); ++k) {
    chart.lines[k].family = k < 4 ? "recurrent" : "no keys";
  }
  const plot::Scene scene = plot::draw(chart);
  const auto color_of = [&](int k) {
    return test::texts_of(scene, "kind " + std::to_string(k) + " ").front().color;
  };
  CHECK(color_of(0) == color_of(3));
  CHECK(color_of(4) == color_of(11));
  CHECK_FALSE(color_of(3) == color_of(4));
  CHECK(test::texts_of(scene, "recurrent").size() == 1);
  chart.lines.resize(6);
  const plot::Scene few = plot::draw(chart);
  CHECK_FALSE(test::texts_of(few, "kind 0").front().color ==
              test::texts_of(few, "kind 1").front().color);
  CHECK(test::texts_of(few, "recurrent").empty());
}

TEST_CASE("names are at the ends of lines, and no line leads to them") {
  const plot::Scene scene = plot::draw(chart_of(5));
  const plot::Text name = test::texts_of(scene, "kind 0").front();
  const auto lines_of = [&](std::size_t points) {
    return test::items_of<plot::Line>(scene, [&](const plot::Line& line) {
      return line.color == name.color && line.points.size() == points;
    });
  };
  const double end = lines_of(3).at(0).points.back().x;
  CHECK(name.at.x - end > 16.0);
  CHECK(name.at.x - end < 48.0);
  CHECK(lines_of(2).empty());
}

TEST_CASE("a kind without arithmetic is not in the roofline") {
  BenchChart chart = chart_of(2);
  for (BenchChart::Point& p : chart.lines[0].points) {
    p.flops = 0.0;
  }
  CHECK(test::texts_of(plot::draw(chart), "kind 0").size() == 2);
  CHECK(test::texts_of(plot::draw(chart), "kind 1").size() == 3);
  for (BenchChart::Point& p : chart.lines[1].points) {
    p.flops = 0.0;
    p.memory = 0.0;
  }
  CHECK(test::texts_of(plot::draw(chart), "kind 1").size() == 1);
}

TEST_SUITE_END();
