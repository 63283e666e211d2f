#include "oa/plot/chart/boxplot.h"

#include "unit/plot/items.h"

#include <doctest/doctest.h>

#include <vector>

using namespace oa;

TEST_SUITE_BEGIN("plot");

TEST_CASE("a box has numpy's quartiles, and whiskers that end at a value") {
  // numpy.percentile([1, 2, 3, 4, 100], [25, 50, 75]) is [2, 3, 4].
  const plot::Box box = plot::make_box({4.0, 100.0, 1.0, 3.0, 2.0});
  CHECK(box.count == 5);
  CHECK(box.low_quartile == 2.0);
  CHECK(box.median == 3.0);
  CHECK(box.high_quartile == 4.0);
  CHECK(box.low_whisker == 1.0);
  CHECK(box.high_whisker == 4.0);
  CHECK(box.outliers == std::vector<double>{100.0});
  // numpy.percentile([0, 1, 5, 6], [25, 50, 75]) is [0.75, 3, 5.25].
  const plot::Box even = plot::make_box({6.0, 0.0, 5.0, 1.0});
  CHECK(even.low_quartile == 0.75);
  CHECK(even.median == 3.0);
  CHECK(even.high_quartile == 5.25);
  CHECK(even.outliers.empty());
}

TEST_CASE("a box of one value is a line, and without values nothing is drawn") {
  const plot::Box one = plot::make_box({0.25});
  CHECK(one.low_whisker == 0.25);
  CHECK(one.high_whisker == 0.25);
  CHECK(one.notch_low == 0.25);
  CHECK(plot::make_box({}).count == 0);
}

TEST_CASE("the notch stays within the box and narrows with the number of values") {
  std::vector<double> few;
  std::vector<double> many;
  for (int i = 0; i < 2000; ++i) {
    (i < 20 ? few : many).push_back(i % 20);
  }
  const plot::Box a = plot::make_box(few);
  const plot::Box b = plot::make_box(many);
  CHECK(a.low_quartile <= a.notch_low);
  CHECK(a.notch_low < a.median);
  CHECK(b.notch_high - b.notch_low < 0.2 * (a.notch_high - a.notch_low));
}

TEST_CASE(
    "boxes that all lie near 1 are drawn by their log-odds, others by their share") {
  // The median's height: between the line of the box above and the one below.
  const auto heights = [](const plot::BoxPlot& plot) {
    std::vector<double> all;
    for (const plot::Line& line : test::items_of<plot::Line>(
             plot::draw(plot), [](const plot::Line& l) { return l.width == 2.5; })) {
      all.push_back(line.points.front().y);
    }
    return all;
  };
  const auto near_one = heights({{{"run",
                                   {plot::make_box({0.99, 0.99, 0.99}),
                                    plot::make_box({0.999, 0.999, 0.999}),
                                    plot::make_box({1.0, 1.0, 1.0})}}}});
  REQUIRE(near_one.size() == 3);
  CHECK(near_one[0] - near_one[1] > 32.0);
  CHECK(near_one[1] - near_one[2] > 32.0);
  const auto spread = heights({{{"run",
                                 {plot::make_box({0.1, 0.5, 0.9}),
                                  plot::make_box({0.99, 0.99, 0.99}),
                                  plot::make_box({0.999, 0.999, 0.999})}}}});
  REQUIRE(spread.size() == 3);
  CHECK(spread[1] - spread[2] < 4.0);
}

TEST_CASE("a class without images is left out of the drawing") {
  plot::BoxPlot with{
      {{"run", {plot::make_box({0.1, 0.5}), plot::make_box({0.2, 0.4})}}}};
  plot::BoxPlot without{{{"run", {plot::make_box({0.1, 0.5}), plot::Box{}}}}};
  CHECK(plot::draw(without).items.size() + 7 == plot::draw(with).items.size());
}

TEST_SUITE_END();
