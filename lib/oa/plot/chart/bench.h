#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::plot {

/// What a benchmark measured of kinds of attention at several numbers of tokens.
struct BenchChart {
  struct Point {
    double tokens = 0.0;  ///< above 0
    double ms = 0.0;      ///< above 0
    double flops = 0.0;
    double traffic = 0.0;  ///< bytes
    double memory = 0.0;   ///< bytes

    [[nodiscard]] double gflops() const { return flops / (1e6 * ms); }
    [[nodiscard]] double flops_per_byte() const { return flops / traffic; }
  };
  struct Line {
    std::string name;
    std::vector<Point> points;  ///< by rising tokens
    std::string config = {};    ///< the kind with all its options
    std::string family = {};    ///< lines of one family may have one colour

    /// p of the power of tokens that the time comes nearest to, by least squares of
    /// logarithms; nothing of fewer than two numbers of tokens.
    [[nodiscard]] std::optional<double> power() const;
  };
  std::string machine;
  double peak_gflops = 0.0;
  double copy_gbs = 0.0;
  std::vector<Line> lines;  ///< none without points
};

/// Time against tokens with its powers, the roofline with the two measured roofs, and
/// memory against tokens; all axes are logarithmic.  Where there are more lines than
/// colours, those of a family have one colour, and marks tell them apart.
[[nodiscard]] Scene draw(const BenchChart& chart, const Look& look = {});

}  // namespace oa::plot
