// Training logs are read or refused; what is read can be drawn.
#include "oa/base/error.h"
#include "oa/io/table/chart_data.h"
#include "oa/plot/chart/curves.h"

#include <cmath>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void check(const oa::plot::Scene& scene) {
  for (const oa::plot::Item& item : scene.items) {
    if (const auto* line = std::get_if<oa::plot::Line>(&item)) {
      for (const oa::plot::Point p : line->points) {
        if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
          std::abort();
        }
      }
    }
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  for (const bool steps : {false, true}) {
    try {
      io::Input input = io::Input::memory(std::as_bytes(std::span(data, size)), "fuzz");
      bool cut = false;
      const auto curves = io::read_training_log(input, steps, cut);
      check(plot::draw(curves, {.steps = steps}));
      check(plot::draw(curves, {.log = true, .smooth = 3, .steps = steps}));
    } catch (const InputError&) {
      // Refusal is the other right answer.
    }
  }
  return 0;
}
