#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::plot {

/// Measurements of kinds of attention at several numbers of tokens.
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
    std::string family = {};    ///< lines of one family may share a colour

    /// The exponent p of time ~ tokens^p, by least squares of logarithms; nothing for
    /// fewer than two numbers of tokens.
    [[nodiscard]] std::optional<double> power() const;
  };
  std::string machine;
  double peak_gflops = 0.0;
  double copy_gbs = 0.0;
  std::vector<Line> lines;  ///< each with a point at least
};

/// Three charts with logarithmic axes: time against tokens with exponents, the roofline
/// with two measured roofs, and memory against tokens.  If there are more lines than
/// colours, lines of a family share a colour and marks distinguish them.
[[nodiscard]] Scene draw(const BenchChart& chart, const Look& look = {});

}  // namespace oa::plot
