#include "oa/plot/chart/accuracy.h"

#include "unit/plot/items.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace oa;
using plot::AccuracyChart;
using score::BenchChart;

namespace {

BenchChart times() {
  return {
      "P",
      100.0,
      10.0,
      {{"a", {{10.0, 1.0}, {100.0, 9.0}}, "a:x=1"}, {"late", {{100.0, 5.0}}, "late"}}};
}

}  // namespace

TEST_SUITE_BEGIN("plot");

TEST_CASE("models are drawn at the smallest number of tokens, by name or config") {
  const AccuracyChart chart = plot::accuracy_chart(times(),
                                                   {{"by name", "a", 0.5},
                                                    {"by config", "a:x=1", 0.6},
                                                    {"not there", "late", 0.7},
                                                    {"unknown", "b", 0.8}});
  CHECK(chart.tokens == 10.0);
  REQUIRE(chart.models.size() == 2);
  CHECK(chart.models[0].accuracy.name == "by name");
  CHECK(chart.models[1].accuracy.name == "by config");
  CHECK(chart.models[1].accuracy.share == 0.6);
  CHECK(chart.models[1].ms == 1.0);
}

TEST_CASE("every model has its name, also where all are equally fast and right") {
  AccuracyChart chart{"P", 49.0, {}};
  for (int k = 0; k < 50; ++k) {
    chart.models.push_back({{"model " + std::to_string(k), "a", 0.9, {}}, 1.0});
  }
  const plot::Scene scene = plot::draw(chart);
  std::vector<plot::Text> names = test::texts_of(scene, "model ");
  REQUIRE(names.size() == 50);
  std::ranges::sort(names, {}, [](const plot::Text& name) { return name.at.y; });
  for (std::size_t k = 1; k < names.size(); ++k) {
    CHECK(names[k].at.y - names[k - 1].at.y > 15.9);
  }
  CHECK(names.back().at.y < scene.height);
}

TEST_CASE("a deviation is a line of its own") {
  AccuracyChart chart{"P", 49.0, {{{"one", "a", 0.5, {}}, 1.0}}};
  const auto lines = [&] {
    return test::items_of<plot::Line>(plot::draw(chart),
                                      [](const plot::Line& line) { return !line.fine; })
        .size();
  };
  const auto before = lines();
  chart.models[0].accuracy.deviation = 0.1;
  CHECK(lines() == before + 1);
}

TEST_SUITE_END();
