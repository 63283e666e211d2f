#pragma once

#include "oa/plot/chart/hit_rate.h"
#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oa::plot {

/// Distances between solvers' energies and proven optima of equal problems.
struct Gaps {
  struct Run {
    std::string name;
    std::int64_t optimal = 0;   ///< number of problems solved to the optimum
    std::vector<double> above;  ///< relative gaps of the other problems, ascending
    double seconds = 0.0;       ///< time for all problems
    HitRate rate = {};          ///< repeated runs that reached the optimum

    [[nodiscard]] std::int64_t problems() const { return optimal + std::ssize(above); }
    [[nodiscard]] double worst() const { return above.empty() ? 0.0 : above.back(); }
    [[nodiscard]] double mean() const;
  };
  std::vector<Run> runs;
  std::int64_t unproved = 0;  ///< problems without a proven optimum
};

/// Draws the share of problems within a gap, a line per run.  If all runs solve 90 % to
/// the optimum, draws the share beyond the gap, on a logarithmic axis.
[[nodiscard]] Scene draw(const Gaps& gaps, const Look& look = {});

}  // namespace oa::plot
