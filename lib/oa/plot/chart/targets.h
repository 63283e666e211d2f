#pragma once

#include "oa/plot/axes.h"
#include "oa/plot/chart/hit_rate.h"
#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace oa::plot {

/// The times after which solvers' runs reached the target energy.  For tasks, the times
/// after which repeated runs of a machine reach the optimum with a probability of 99 %.
struct Targets {
  struct Solver {
    std::string name;
    std::int64_t runs = 0;
    std::vector<double> seconds;  ///< of the runs that reached the target, ascending
    HitRate rate = {};            ///< share of the runs that reached the target
    /// The time until a run reaches the target with a probability of 99 %, and its 95 %
    /// interval; infinite if no run reached the target.
    double to_99 = std::numeric_limits<double>::infinity();
    Interval to_99_range = {};

    /// The time after which half of the runs had reached the target;
    /// infinite if fewer runs reached the target.
    [[nodiscard]] double median() const;

    /// Two times that enclose the median of all such runs with a probability of at
    /// least 90 %, for any distribution.  The later time is infinite if too few runs
    /// reached the target.  Nothing for fewer than five runs.
    [[nodiscard]] std::optional<Interval> median_interval() const;
  };
  std::string problem;
  double target = 0.0;
  std::vector<Solver> solvers;
  bool of_tasks = false;  ///< for tasks, which share no target
};

/// Draws the share of runs that reached the target against time, a line per solver.
[[nodiscard]] Scene draw(const Targets& targets, const Look& look = {});

}  // namespace oa::plot
