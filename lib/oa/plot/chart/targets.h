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

/// The times after which runs of solvers reached the target energy; or, of tasks, after
/// which repeated runs of a machine reach their optima with a probability of 99 %.
struct Targets {
  struct Solver {
    std::string name;
    std::int64_t runs = 0;
    std::vector<double> seconds;  ///< of the runs that reached it, ascending
    HitRate rate = {};            ///< of several runs
    /// The time until a run reaches the target with a probability of 99 %, and its 95 %
    /// interval; infinite if none did.
    double to_99 = std::numeric_limits<double>::infinity();
    Interval to_99_range = {};

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
  bool of_tasks = false;  ///< runs and seconds are of tasks, which share no target
};

/// The share of runs that have reached the target, against time: a line for each
/// solver.
[[nodiscard]] Scene draw(const Targets& targets, const Look& look = {});

}  // namespace oa::plot
