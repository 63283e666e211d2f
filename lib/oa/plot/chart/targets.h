#pragma once

#include "oa/plot/axes.h"
#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::plot {

/// The times in which runs of solvers reached an energy as good as the target.
struct Targets {
  struct Solver {
    std::string name;
    std::int64_t runs = 0;
    std::vector<double> seconds;  ///< of the runs that reached it, ascending

    /// Seconds after which half of the runs had reached it; infinite if fewer ever did.
    [[nodiscard]] double median() const;

    /// Two of the times between which the median of all such runs lies with a
    /// probability of 90 % or more, however times are distributed; the later one is
    /// infinite where too few runs reached the target.  None of fewer than five runs.
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
