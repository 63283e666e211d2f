#include "oa/plot/map/sparsity.h"
#include "oa/plot/palette.h"
#include "oa/plot/terminal.h"
#include "unit/plot/items.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace oa;

namespace {

/// Two queries of four values; the first chooses the second value.
plot::SparsityMap two() {
  plot::SparsityMap map;
  map.n = 2;
  map.m = 4;
  map.value = {0, 1, 0, 0, 0, 0, 0, 0};
  return map;
}

std::size_t bold_lines(const plot::Scene& scene) {
  return test::items_of<plot::Line>(scene,
                                    [](const plot::Line& line) {
                                      return line.color == plot::kInk &&
                                             line.width == 2.0;
                                    })
      .size();
}

}  // namespace

TEST_SUITE_BEGIN("plot");

TEST_CASE("the patch that a query chooses is coloured in the picture") {
  plot::SparsityMap map = two();
  map.picture = plot::Picture{28, 28, std::vector<double>(784, 0.0)};
  map.over_picture = true;
  // A fourth of a picture of 112 units, and 16 x 16 in the key.
  CHECK(test::painted(plot::draw(map), plot::kChosen) ==
        doctest::Approx(0.25 * 112.0 * 112.0 + 256.0));
  map.picture->pixels.assign(784, 1.0);
  CHECK(test::painted(plot::draw(map), plot::kChosen) == doctest::Approx(256.0));
  CHECK(test::painted(plot::draw(map), plot::kNotChosen) ==
        doctest::Approx(2.0 * 112.0 * 112.0));
}

TEST_CASE("chosen pictures are framed, and right ones underlined") {
  plot::SparsityMap map = two();
  const plot::Picture white{28, 28, std::vector<double>(784, 0.0)};
  map.query_names = {"1+2", "3"};
  map.gallery =
      plot::Gallery{{white, white},
                    {white, white, white, white},
                    {{false, true, true, false}, {false, false, false, true}}};
  const plot::Scene scene = plot::draw(map);
  CHECK(test::painted(scene, plot::kChosen) == doctest::Approx(32.0 * 32.0));
  CHECK(bold_lines(scene) == 3);
  // Without colour a terminal has letters where the chosen picture is.
  const plot::Scene narrow = plot::draw(map, {}, {320.0, {}});
  CHECK(plot::terminal_drawing(narrow, {.columns = 40}).find("aaa") !=
        std::string::npos);
}

TEST_SUITE_END();
