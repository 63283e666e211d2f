#include "oa/plot/map/sparsity.h"

#include "oa/plot/palette.h"
#include "oa/plot/terminal.h"
#include "unit/plot/items.h"

#include <doctest/doctest.h>

#include <string>

using namespace oa;

namespace {

/// Two queries of 2x2 values: the first chooses a diagonal, the second nothing.
plot::SparsityMap small() {
  plot::SparsityMap map;
  map.n = 2;
  map.m = 4;
  map.value = {1, 0, 0, 1, 0, 0, 0, 0};
  map.energy = {-1.5, 0.0};
  map.problems = 2;
  return map;
}

}  // namespace

TEST_SUITE_BEGIN("plot");

TEST_CASE("every value is painted once, in its colour") {
  const plot::Scene scene = plot::draw(small());
  constexpr double kCell = 8.0 * 8.0;
  constexpr double kKey = 16.0 * 16.0;
  CHECK(test::painted(scene, plot::kChosen) == 2 * kCell + kKey);
  CHECK(test::painted(scene, plot::kNotChosen) == 6 * kCell + kKey);
}

TEST_CASE("real coefficients are coloured from the lowest, or 0, to the highest") {
  plot::SparsityMap map = small();
  map.binary = false;
  map.value = {0.5, 0.25, 0, 0, 0, 0, 0, 0};
  CHECK(test::painted(plot::draw(map), plot::kChosen) == 64.0);
  CHECK(test::painted(plot::draw(map), plot::kNotChosen) == 6 * 64.0);
  map.value[7] = -0.5;
  CHECK(test::painted(plot::draw(map), plot::kNotChosen) == 64.0);
  CHECK(test::painted(plot::draw(map), plot::share_color(0.5)) == 5 * 64.0);
}

TEST_CASE("a grid of values is as nearly square as their number allows") {
  CHECK(plot::grid_rows(49) == 7);
  CHECK(plot::grid_rows(12) == 3);
  CHECK(plot::grid_rows(13) == 1);
  CHECK(plot::grid_rows(1) == 1);
}

TEST_CASE("colours of shares grow lighter from end to end") {
  CHECK(plot::share_color(0.0) == plot::kNotChosen);
  CHECK(plot::share_color(1.0) == plot::kChosen);
  const auto grey = [](plot::Color c) {  // luma of Rec. 709
    return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
  };
  for (int i = 0; i < 100; ++i) {
    CHECK(grey(plot::share_color(i / 100.0)) <
          grey(plot::share_color((i + 1) / 100.0)));
  }
}

TEST_CASE("the terminal shows a diagonal as two half-blocks, coloured if allowed") {
  const std::string plain = plot::terminal_drawing(plot::draw(small()), {});
  CHECK(plain.find("▀▄") != plain.npos);
  CHECK(plain.find('\x1B') == plain.npos);
  const std::string color =
      plot::terminal_drawing(plot::draw(small()), {.color = true});
  CHECK(color.find("\x1B[38;2;228;159;27m\x1B[48;2;36;25;66m▀\x1B[0m") != color.npos);
}

TEST_CASE("queries of unequal size are rows that make a triangle") {
  plot::SparsityMap map;
  map.n = map.m = 3;
  map.sizes = {1, 2, 3};
  map.value = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  map.energy = {-1, -2, -3};
  const plot::Scene scene = plot::draw(map);
  constexpr double kCell = 24.0 * 24.0;
  constexpr double kKey = 16.0 * 16.0;
  CHECK(test::painted(scene, plot::kChosen) == 3 * kCell + kKey);
  CHECK(test::painted(scene, plot::kNotChosen) == 3 * kCell + kKey);
  CHECK(test::texts_of(plot::draw(map, {.energies = true})).size() ==
        test::texts_of(scene).size() + 3);
  CHECK(test::texts_of(plot::draw(map, {.names = true})).size() ==
        test::texts_of(scene).size() + 6);
  map.head = 1;
  map.heads = 2;
  CHECK(plot::draw(map).title.find("head 1 of 2") != std::string::npos);
}

TEST_SUITE_END();
