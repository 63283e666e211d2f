#include "oa/plot/terminal.h"

#include "oa/base/utf8.h"
#include "oa/plot/axes.h"
#include "oa/plot/chart/curves.h"
#include "oa/plot/font.h"
#include "oa/plot/palette.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace oa {
namespace {

/// A training of two epochs for each name.
std::vector<score::Curve> trainings(const std::vector<std::string>& names) {
  std::vector<score::Curve> curves;
  for (const std::string& name : names) {
    const auto k = static_cast<double>(curves.size());
    score::Curve curve{name, {}, false};
    curve.epochs.push_back({1.0, 1.0 + k, 0.1 * k, {}, {}});
    curve.epochs.push_back({2.0, 0.5 + k, 0.1 * k + 0.05, {}, {}});
    curves.push_back(curve);
  }
  return curves;
}

}  // namespace

TEST_SUITE_BEGIN("plot");

TEST_CASE("without colour the runs of a chart are letters, with it they are not") {
  const plot::Scene scene = plot::draw(trainings({"first", "second"}));
  const std::string plain = plot::terminal_drawing(scene, {});
  CHECK(plain.find("aa first") != std::string::npos);
  CHECK(plain.find("bb second") != std::string::npos);
  CHECK(plain.find("aaaaaaaa") != std::string::npos);
  CHECK(plain.find("bbbbbbbb") != std::string::npos);
  const std::string coloured = plot::terminal_drawing(scene, {.color = true});
  CHECK(coloured.find("aaaa") == std::string::npos);
  CHECK(coloured.find("\x1B[38;2;0;114;178m") != std::string::npos);
}

TEST_CASE("more than seven runs have colours and letters of their own") {
  std::vector<std::string> names;
  for (int k = 0; k < 21; ++k) {
    names.push_back("run" + std::to_string(k));
    for (int other = 0; other < k; ++other) {
      CHECK_FALSE(plot::series_color(k) == plot::series_color(other));
    }
  }
  const std::string text = plot::terminal_drawing(plot::draw(trainings(names)), {});
  CHECK(text.find("hh") != std::string::npos);
  CHECK(text.find("uu") != std::string::npos);
}

TEST_CASE("a plain terminal gets ASCII alone") {
  plot::Scene scene = plot::draw(trainings({"first", "second"}));
  scene.text(
      {16.0, 60.0}, "3\u00d74 \u2013 \u4e2d", 11.0, plot::Align::Left, plot::kInk);
  for (const bool color : {false, true}) {
    const std::string text =
        plot::terminal_drawing(scene, {.color = color, .ascii = true});
    CHECK(std::ranges::all_of(text, [](char c) {
      return c == '\n' || c == '\x1B' || (c >= ' ' && c <= '~');
    }));
    CHECK(text.find("3x4 - ?") != std::string::npos);
  }
}

TEST_SUITE_END();

}  // namespace oa
