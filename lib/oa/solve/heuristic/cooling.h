#pragma once

#include "oa/solve/heuristic/replicas.h"
#include "oa/solve/method/settings.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace oa::solve {

/// Where sixteen reads of an annealer stand.
struct AnnealState {
  int n;                   // variables
  num::FloatLine* sign;    // 1 where x is 0, -1 where it is 1: a flip adds sign * field
  num::FloatLine* field;   // what x_i = 1 adds to the energy
  num::FloatLine* energy;  // one line
  LaneRandom* random;
};

/// How to cool; temperatures in units of energy, 0 chooses.
struct Cooling {
  int sweeps = 0;
  Schedule schedule = Schedule::Geometric;
  double hot = 0.0;
  double cold = 0.0;
};

/// A run of an annealer of single problems.
struct AnnealRun {
  Cooling cooling;
  /// All its temperatures at once, one in each lane, for `sweeps`: lanes of
  /// neighbouring ones change places (Hukushima and Nemoto 1996).
  bool tempering = false;
  double target =
      -std::numeric_limits<double>::infinity();  ///< ends when a read gets as low
  /// Where all reads begin; empty: at 0.
  std::span<const std::uint8_t> start = {};
  /// Of the time that is left, for cooling: that is done sooner where its sweeps
  /// would take longer.
  double part = 0.9;
};

/// The temperatures of sweeps, times `scale`, for a problem whose fields, at that
/// scale, vary by `spread` and whose energies differ by multiples of `step`, if that is
/// not 0.  Made as they are asked for: there may be more than memory holds.
class Temperatures {
 public:
  Temperatures(const Cooling& cooling, double scale, double spread, double step = 0.0);

  [[nodiscard]] int sweeps() const { return sweeps_; }
  /// When so much of the way is done, from 0 to 1.
  [[nodiscard]] float operator()(double done) const;

 private:
  int sweeps_;
  bool linear_;
  double hot_;
  double cold_;
  std::vector<float> steps_;  // the vendor's, each for some sweeps; else empty
};

}  // namespace oa::solve
