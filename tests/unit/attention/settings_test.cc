// Kinds read only the settings of model and training that they declare.
#include "oa/attention/kind_spec.h"
#include "oa/train/exact_forward.h"
#include "ref/kinds/layer_reference.h"
#include "unit/attention/drawn_layer.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

using namespace oa;
using attention::Backward;
using attention::Site;
using attention::Stage;

namespace {

constexpr int kTokens = 9;
constexpr int kSettingsWidth = 8;

/// Where a layer works.
struct Place {
  Site site;
  Stage stage;
};

/// A setting, and a change of it.
struct Change {
  std::string_view setting;
  std::function<void(Place& place)> make;
};

const std::vector<Change>& changes() {
  static const std::vector<Change> kAll{
      {"coefficients",
       [](Place& p) { p.site.coefficients = Coefficients::Continuous; }},
      {"levels",
       [](Place& p) {
         p.site.coefficients = Coefficients::Levels;
         p.site.levels = 4;
       }},
      {"normalization",
       [](Place& p) { p.site.normalization = attention::Normalization::None; }},
      {"lambda", [](Place& p) { p.site.lambda = 3.0; }},
      {"value_scale", [](Place& p) { p.site.value_scale = 2.0; }},
      {"divide_output", [](Place& p) { p.site.divide_output = true; }},
      {"gradient", [](Place& p) { p.site.solver.backward = Backward::None; }},
      {"exact", [](Place& p) { p.site.solver.optima = train::exact_optima(); }},
      {"max_nodes",
       [](Place& p) { p.site.solver.optima = train::exact_optima(nullptr, 1); }},
      {"curriculum", [](Place& p) { p.stage.relaxed = true; }},
      {"temperature", [](Place& p) { p.site.solver.temperature = 1.0F; }},
      {"tolerance", [](Place& p) { p.site.solver.tolerance = 0.1F; }},
      {"admm_iterations",
       [](Place& p) {
         p.site.solver.backward = Backward::Unrolled;
         p.site.solver.admm_iterations = 3;
       }},
  };
  return kAll;
}

/// Rows that go out, and the gradient that goes back, of a layer with drawn parameters.
std::vector<float> rows_of(const attention::Kind& kind, const Place& place) {
  test::DrawnAttention drawn(kind, place.site, 3, kTokens);
  drawn.attention->set_stage(place.stage);
  const num::Matrix x = test::drawn_matrix(kTokens, kSettingsWidth, 4);
  const num::Matrix d_o = test::drawn_matrix(kTokens, kSettingsWidth, 5);
  parts::Values gradient(drawn.layout);
  const num::Matrix o = drawn.forward(x);
  const num::Matrix dx = drawn.backward(x, d_o, gradient);
  std::vector<float> all;
  for (int i = 0; i < kTokens; ++i) {
    all.insert(all.end(), o.row(i), o.row(i) + kSettingsWidth);
    all.insert(all.end(), dx.row(i), dx.row(i) + kSettingsWidth);
  }
  return all;
}

Place usual_place(const attention::KindSpec& spec) {
  Place place;
  place.site.tokens = kTokens;
  place.site.width = place.site.dim = kSettingsWidth;
  place.site.options = spec.options;
  place.site.divide_output = false;
  place.site.value_scale = 6.0;
  return place;
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("a setting changes the layers that read it, and no others") {
  std::vector<attention::KindSpec> specs;
  for (const attention::Kind* kind : attention::all_kinds()) {
    specs.push_back(
        attention::parse_kind_specs(test::usable_spec(*kind, kTokens), "").front());
  }
  for (const std::string keys : {"own", "shared", "separate"}) {
    const std::string text = "optimizing:keys=" + keys + ",heads=2,penalty=0.5,beta=4";
    specs.push_back(attention::parse_kind_specs(text, "").front());
  }
  for (const attention::KindSpec& spec : specs) {
    const std::vector<float> usual = rows_of(*spec.kind, usual_place(spec));
    for (const Change& change : changes()) {
      CAPTURE(spec.text());
      CAPTURE(change.setting);
      Place place = usual_place(spec);
      change.make(place);
      CHECK((rows_of(*spec.kind, place) != usual) ==
            attention::reads_setting(*spec.kind, spec.options, change.setting));
    }
  }
}

TEST_CASE("every setting that a kind declares is tested, and names its readers") {
  for (const attention::Kind* kind : attention::all_kinds()) {
    for (const attention::KindSetting& setting : kind->settings) {
      CAPTURE(setting.name);
      CHECK(std::ranges::find(changes(), setting.name, &Change::setting) !=
            changes().end());
    }
  }
  CHECK(attention::readers_of("divide_output") ==
        "optimizing:keys=paper, uniform, query");
  CHECK(attention::readers_of("exact") == "optimizing");
  CHECK(attention::readers_of("dim").empty());
}

TEST_SUITE_END();
