// Results of oa-bench that are accepted can be drawn: numbers are finite and above 0,
// tokens rise, and no picture of them fails.
#include "fuzz/fuzz.h"
#include "oa/io/table/chart_data.h"
#include "oa/plot/chart/bench.h"

#include <algorithm>
#include <cmath>

namespace oa {

void fuzz::one_input(Bytes bytes) {
  using Point = score::BenchChart::Point;
  read_or_refuse(bytes, [](io::Input& input) {
    const score::BenchChart chart = io::read_bench_rows(input);
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
    (void)plot::draw(chart);
  });
}

}  // namespace oa
