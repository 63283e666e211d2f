#include "oa/plot/look.h"

#include "oa/plot/chart/accuracy.h"
#include "oa/plot/chart/bench.h"
#include "oa/plot/chart/boxplot.h"
#include "oa/plot/chart/confusion.h"
#include "oa/plot/chart/curves.h"
#include "oa/plot/chart/gaps.h"
#include "oa/plot/chart/levels.h"
#include "oa/plot/chart/targets.h"
#include "oa/plot/font.h"
#include "oa/plot/map/sparsity.h"
#include "oa/plot/terminal.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <variant>
#include <vector>

namespace oa {
namespace {

plot::SparsityMap map_of(int n, int m) {
  plot::SparsityMap map;
  map.n = n;
  map.m = m;
  map.label = 3;
  map.problems = n;
  for (int k = 0; k < n * m; ++k) {
    map.value.push_back(k % 5 == 0 ? 1.0 : 0.0);
  }
  map.energy.assign(static_cast<std::size_t>(n), -12.345);
  return map;
}

std::vector<plot::Scene> maps(const plot::Look& look) {
  std::vector<plot::Scene> scenes;
  plot::SparsityMap image = map_of(49, 49);
  image.picture = plot::Picture{28, 28, std::vector<double>(784, 0.5)};
  scenes.push_back(plot::draw(image, {}, look));
  plot::SparsityMap mean = map_of(49, 49);
  mean.images = 12345;
  scenes.push_back(plot::draw(mean, {}, look));
  plot::SparsityMap causal = map_of(24, 24);
  causal.sequence = true;
  causal.heads = 2;
  for (int i = 0; i < 24; ++i) {
    causal.sizes.push_back(i + 1);
  }
  scenes.push_back(plot::draw(causal, {.energies = true}, look));
  plot::SparsityMap weights = map_of(8, 24);
  weights.weights = true;
  weights.binary = false;
  weights.problems = 0;
  weights.query_names.assign(8, "3+17+22+40");
  weights.value_names.assign(24, "12");
  scenes.push_back(plot::draw(weights, {}, look));
  plot::SparsityMap overlays = map_of(8, 24);
  overlays.query_names.assign(8, "3+17");
  const plot::Picture digit{28, 28, std::vector<double>(784, 0.5)};
  overlays.gallery = plot::Gallery{std::vector(8, digit),
                                   std::vector(24, digit),
                                   std::vector(8, std::vector<bool>(24, true))};
  scenes.push_back(plot::draw(overlays, {}, look));
  plot::SparsityMap places = map_of(10, 49);
  places.picture = digit;
  places.over_picture = true;
  scenes.push_back(plot::draw(places, {}, look));
  return scenes;
}

std::vector<plot::Scene> charts(const plot::Look& look) {
  std::vector<plot::Scene> scenes;
  plot::BoxPlot boxes;
  plot::Confusion confusion{"first", 10, {}};
  for (const char* name : {"first", "second", "third"}) {
    boxes.runs.push_back({name, {}});
    for (int k = 0; k < 10; ++k) {
      boxes.runs.back().boxes.push_back(plot::make_box({0.1, 0.2 + 0.05 * k, 0.9}));
    }
  }
  confusion.count.assign(100, 1135);
  scenes.push_back(plot::draw(boxes, {.notches = true, .outliers = true}, look));
  scenes.push_back(plot::draw(confusion, look));
  scenes.push_back(plot::draw({{"first", {{1.0, 2.0, 0.1, 1.0, 0.2}}, false},
                               {"second", {{1.0, 2.0, 0.1, {}, {}}}, true}},
                              {.log = false, .smooth = 3},
                              look));
  plot::Gaps gaps;
  gaps.unproved = 4;
  gaps.runs = {{"first", 980, {1e-4, 0.02}, 1.0}, {"second", 400, {0.3}, 1.0}};
  scenes.push_back(plot::draw(gaps, look));
  gaps.runs.front().optimal = 0;
  scenes.push_back(plot::draw(gaps, look));
  plot::Targets targets{"problem", -12.0, {}};
  targets.solvers.push_back({"first", 3, {0.5, 1.0, 2.0}});
  targets.solvers.push_back({"second", 3, {4.0}});
  scenes.push_back(plot::draw(targets, look));
  plot::Levels levels;
  REQUIRE(levels.add_matrix(std::vector<std::int64_t>{0, 127, 127, 0}, 2));
  scenes.push_back(plot::draw(levels, look));
  score::BenchChart bench{"processor", 102.0, 15.5, {}};
  for (const char* name : {"first", "second"}) {
    bench.lines.push_back(
        {name, {{49.0, 0.5, 1e6, 1e5, 1e4}, {64.0, 1, 2e6, 2e5, 2e4}}});
  }
  scenes.push_back(plot::draw(bench, look));
  scenes.push_back(
      plot::draw(plot::accuracy_chart(bench, {{"first", "first", 0.9, 0.01}}), look));
  return scenes;
}

std::vector<plot::Scene> all_figures(const plot::Look& look) {
  std::vector<plot::Scene> scenes = maps(look);
  for (plot::Scene& scene : charts(look)) {
    scenes.push_back(std::move(scene));
  }
  return scenes;
}

/// Names and units, which have no translation.
bool is_name(const std::string& word) {
  for (const char* name :
       {"first", "second", "third", "problem", "processor", "GFLOP", "GB"}) {
    if (word == name) {
      return true;
    }
  }
  return word.size() < 2;
}

/// Words of two letters and more that are English.
std::vector<std::string> english_words(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z')) {
      words.back() += c;
    } else {
      words.emplace_back();
    }
  }
  std::erase_if(words, is_name);
  return words;
}

}  // namespace

TEST_SUITE_BEGIN("plot");

TEST_CASE("in Chinese a figure has no English word") {
  const plot::Look look{0.0, plot::Language::Chinese};
  for (const plot::Scene& scene : all_figures(look)) {
    CHECK(english_words(scene.title).empty());
    for (const plot::Item& item : scene.items) {
      if (const auto* text = std::get_if<plot::Text>(&item)) {
        CAPTURE(text->text);
        CHECK(english_words(text->text).empty());
      }
    }
  }
}

TEST_CASE("every figure fits terminals from 40 columns up, and loses no word") {
  for (const plot::Language language :
       {plot::Language::English, plot::Language::Chinese}) {
    for (const int columns : {40, 57, 80, 120}) {
      CAPTURE(columns);
      for (const plot::Scene& scene : all_figures({8.0 * columns, language})) {
        CAPTURE(scene.title);
        const std::string drawn = plot::terminal_drawing(scene, {.columns = columns});
        std::istringstream lines(drawn);
        std::string all;
        for (std::string line; std::getline(lines, line);) {
          CAPTURE(line);
          CHECK(plot::columns_of(line) <= columns);
          all += line + "\n";
        }
        for (const plot::Item& item : scene.items) {
          const auto* text = std::get_if<plot::Text>(&item);
          if (text == nullptr || text->fine) {
            continue;
          }
          for (const std::string& word : english_words(text->text)) {
            CAPTURE(text->text);
            CHECK(all.find(word) != std::string::npos);
          }
        }
      }
    }
  }
}

TEST_CASE("numbers go where a language has them") {
  const plot::Words english;
  const plot::Words chinese(plot::Language::Chinese);
  CHECK(english("{0} of {1} proved optimal", {"3", "4"}) == "3 of 4 proved optimal");
  CHECK(chinese("{0} of {1} proved optimal", {"3", "4"}) == "4 个中 3 个已证明最优");
  CHECK(english.count(1, "image", "images") == "1 image");
  CHECK(english.count(2000, "image", "images") == "2,000 images");
  CHECK(chinese.count(2000, "image", "images") == "2,000 幅图像");
}

TEST_SUITE_END();

}  // namespace oa
