#include "oa/plot/chart/confusion.h"

#include "unit/plot/items.h"

#include <doctest/doctest.h>

#include <variant>
#include <vector>

using namespace oa;

namespace {

std::vector<double> opacities(const plot::Scene& scene) {
  std::vector<double> all;
  for (const plot::Area& area :
       test::items_of<plot::Area>(scene, [](const plot::Area&) { return true; })) {
    all.push_back(area.opacity);
  }
  return all;
}

}  // namespace

TEST_SUITE_BEGIN("plot");

TEST_CASE("rare errors show beside frequent ones, by the logarithms of their shares") {
  const plot::Confusion confusion{"run", 3, {8900, 1000, 100, 10, 9990, 0, 0, 0, 0}};
  const auto strength = opacities(plot::draw(confusion));
  // Both right answers of classes with images, one of a class without, three errors.
  REQUIRE(strength.size() == 6);
  const double frequent = strength[1];
  const double middle = strength[2];
  const double rare = strength[3];
  CHECK(rare > 0.1);
  CHECK(frequent < 0.8);
  CHECK(middle == doctest::Approx(0.5 * (rare + frequent)));
}

TEST_CASE("the heading explains the colour of errors") {
  const auto facts = [](const std::vector<std::int64_t>& count) {
    const plot::Scene scene = plot::draw(plot::Confusion{"run", 2, count});
    return std::get<plot::Text>(scene.items[1]).text;
  };
  CHECK(facts({999, 1, 10, 90}) ==
        "1,089 of 1,100 images right, 99.0 %; orange: wrong, from 0.1 % to 10.0 % of "
        "the row");
  CHECK(facts({9, 1, 1, 9}) ==
        "18 of 20 images right, 90.0 %; orange: wrong, 10.0 % of the row");
  CHECK(facts({5, 0, 0, 5}) == "10 of 10 images right, 100.0 %");
}

TEST_SUITE_END();
