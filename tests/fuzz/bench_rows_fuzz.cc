// Results of oa-bench that are accepted can be drawn: numbers are finite and above 0,
// tokens rise, and no picture of them fails.
#include "oa/base/error.h"
#include "oa/io/table/chart_data.h"
#include "oa/plot/chart/bench.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Point = oa::score::BenchChart::Point;

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

void check(const oa::score::BenchChart& chart) {
  require(std::isfinite(chart.peak_gflops) && chart.peak_gflops > 0.0);
  require(std::isfinite(chart.copy_gbs) && chart.copy_gbs > 0.0);
  require(!chart.lines.empty());
  for (const auto& line : chart.lines) {
    require(!line.points.empty());
    require(std::ranges::is_sorted(line.points, {}, &Point::tokens));
    for (const Point& point : line.points) {
      require(point.tokens > 0.0 && point.ms > 0.0 && point.flops >= 0.0);
      require(point.traffic >= 0.0 && point.memory >= 0.0);
      require(std::isfinite(point.tokens + point.ms + point.flops));
      require(std::isfinite(point.traffic + point.memory));
    }
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    oa::io::Input input =
        oa::io::Input::memory(std::as_bytes(std::span(data, size)), "fuzz");
    const oa::score::BenchChart chart = oa::io::read_bench_rows(input);
    check(chart);
    (void)oa::plot::draw(chart);
  } catch (const oa::InputError&) {
    // Refusal is the other right answer.
  }
  return 0;
}
