// Training logs are read or refused; what is read can be drawn.
#include "fuzz/fuzz.h"
#include "oa/io/table/chart_data.h"
#include "oa/plot/chart/curves.h"

#include <cmath>

namespace oa {
namespace {

void check(const plot::Scene& scene) {
  for (const plot::Item& item : scene.items) {
    if (const auto* line = std::get_if<plot::Line>(&item)) {
      for (const plot::Point p : line->points) {
        fuzz::require(std::isfinite(p.x) && std::isfinite(p.y));
      }
    }
  }
}

}  // namespace

void fuzz::one_input(Bytes bytes) {
  for (const bool steps : {false, true}) {
    read_or_refuse(bytes, [&](io::Input& input) {
      bool cut = false;
      const auto curves = io::read_training_log(input, steps, cut);
      check(plot::draw(curves, {.steps = steps}));
      check(plot::draw(curves, {.log = true, .smooth = 3, .steps = steps}));
    });
  }
}

}  // namespace oa
