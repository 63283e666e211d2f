#pragma once

#include "oa/solve/heuristic/replicas.h"
#include "oa/solve/method/settings.h"
#include "oa/solve/method/states.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace oa::solve {

/// The state of 16 reads of an annealer.
struct AnnealState {
  int n;                   // number of variables
  num::FloatLine* sign;    // 1 where x is 0, -1 where it is 1: a flip adds sign * field
  num::FloatLine* field;   // what x_i = 1 adds to the energy
  num::FloatLine* energy;  // one line
  LaneRandom* random;
};

/// A cooling schedule; temperatures in units of energy, 0: chosen.
struct Cooling {
  int sweeps = 0;
  Schedule schedule = Schedule::Geometric;
  double hot = 0.0;
  double cold = 0.0;
};

/// A run of an annealer of single problems.
struct AnnealRun {
  Cooling cooling;
  /// Parallel tempering: one temperature in each lane for all `sweeps`; lanes of
  /// neighbouring temperatures are exchanged (Hukushima and Nemoto 1996).
  bool tempering = false;
  double target =
      -std::numeric_limits<double>::infinity();  ///< the run ends when a read reaches
                                                 ///< this energy
  /// Read k of the run begins at state_of(starts, first + k); without states, at 0.
  std::span<const std::vector<std::uint8_t>> starts = {};
  std::int64_t first = 0;
  /// The share of the time left for cooling, which is faster if its sweeps would take
  /// longer.
  double part = 0.9;
};

/// The temperatures of sweeps, times `scale`.  At this scale, fields vary by `spread`,
/// and energies differ by multiples of `step`, if that is not 0.  Computed one by one,
/// as there may be too many for memory.
class Temperatures {
 public:
  Temperatures(const Cooling& cooling, double scale, double spread, double step = 0.0);

  [[nodiscard]] int sweeps() const { return sweeps_; }
  /// The temperature at progress `done`, from 0 to 1.
  [[nodiscard]] float operator()(double done) const;

 private:
  int sweeps_;
  Schedule schedule_;
  double hot_;
  double cold_;
  std::vector<float> steps_;  // those of the vendor's schedule; else empty
};

}  // namespace oa::solve
