// Accuracies that are accepted are shares of 1, and can be drawn.
#include "oa/base/error.h"
#include "oa/io/table/chart_data.h"
#include "oa/plot/chart/accuracy.h"

#include <cstdint>
#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

bool is_share(double x) {
  return x >= 0.0 && x <= 1.0;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    oa::io::Input input =
        oa::io::Input::memory(std::as_bytes(std::span(data, size)), "fuzz");
    oa::plot::AccuracyChart chart{"P", 49.0, {}};
    for (const oa::score::KindAccuracy& one : oa::io::read_accuracies(input)) {
      if (!is_share(one.share) || !is_share(one.deviation.value_or(0.0))) {
        std::abort();
      }
      chart.models.push_back(
          {one, 0.01 * static_cast<double>(1 + chart.models.size())});
    }
    (void)oa::plot::draw(chart);
  } catch (const oa::InputError&) {
    // Refusal is the other right answer.
  }
  return 0;
}
