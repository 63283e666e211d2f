#include "oa/base/error.h"
#include "oa/io/table/chart_data.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <span>
#include <string>

using namespace oa;

namespace {

score::Scatter points_of(const std::string& text) {
  io::Input input = io::Input::memory(std::as_bytes(std::span(text)), "t.csv");
  return io::read_scatter(input);
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("a table of points has groups in the order in which they begin") {
  const score::Scatter s =
      points_of("way,spins,right %,levels\nb, 3,90.5,4\na,1,80,\nb,7,91,8\n");
  CHECK(s.x_name == "spins");
  CHECK(s.y_name == "right %");
  REQUIRE(s.groups.size() == 2);
  CHECK(s.groups[0].name == "b");
  REQUIRE(s.groups[0].items.size() == 2);
  CHECK(s.groups[0].items[1].x == 7.0);
  CHECK(s.groups[0].items[1].y == 91.0);
  CHECK(s.groups[0].items[1].label == "8");
  CHECK(s.groups[1].items[0].label.empty());
  CHECK(points_of("g,x,y\na,1,2\n").groups[0].items[0].label.empty());
}

TEST_CASE("a file that is not a table of points is refused with its line") {
  CHECK_THROWS_WITH_AS(
      points_of(""), "t.csv: empty (expected a table of points)", InputError);
  CHECK_THROWS_WITH_AS(
      points_of("g,x,y\n"), "t.csv: no points below the first line", InputError);
  CHECK_THROWS_WITH_AS(
      points_of("a,b\n"),
      "t.csv:1: 2 columns (expected a group, x, y, and at most a label)",
      InputError);
  CHECK_THROWS_WITH_AS(
      points_of("g,x,y\na,1\n"), "t.csv:2: 2 cells (expected 3)", InputError);
  for (const char* bad : {"x", "inf", "nan", ""}) {
    CHECK_THROWS_AS(points_of("g,x,y\na,1," + std::string(bad) + "\n"), InputError);
  }
}

TEST_SUITE_END();
