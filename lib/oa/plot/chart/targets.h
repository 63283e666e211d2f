#pragma once

#include "oa/plot/axes.h"
#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::plot {

/// The times after which runs of solvers reached the target energy.
struct Targets {
  struct Solver {
    std::string name;
    std::int64_t runs = 0;
    std::vector<double> seconds;  ///< of the runs that reached it, ascending

    /// The time after which half of the runs had reached the target; infinite if fewer
    /// ever did.
    [[nodiscard]] double median() const;

    /// Two of the times that enclose the median of all such runs with a probability of
    /// at least 90 %, for any distribution.  The later one is infinite if too few runs
    /// reached the target.  Nothing for fewer than five runs.
    [[nodiscard]] std::optional<Interval> median_interval() const;
  };
  std::string problem;
  double target = 0.0;
  std::vector<Solver> solvers;
};

/// The share of runs that have reached the target, against time: a line for each
/// solver.
[[nodiscard]] Scene draw(const Targets& targets, const Look& look = {});

}  // namespace oa::plot
