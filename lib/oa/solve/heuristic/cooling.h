#pragma once

#include "oa/solve/heuristic/couplings.h"
#include "oa/solve/heuristic/replicas.h"
#include "oa/solve/method/settings.h"
#include "oa/solve/method/states.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace oa::solve {

/// The state of 16 reads of an annealer.
struct AnnealState {
  int n;                   // number of variables
  num::FloatLine* sign;    // 1 where x is 0, else -1: a flip adds sign * field
  num::FloatLine* field;   // energy change by x_i = 1
  num::FloatLine* energy;  // one line
  LaneRandom* random;
};

/// A cooling schedule; temperatures are in units of energy, 0 means automatic.
struct Cooling {
  int sweeps = 0;
  Schedule schedule = Schedule::Geometric;
  double hot = 0.0;
  double cold = 0.0;
};

/// Parameters of one run of an annealer.
struct AnnealRun {
  Cooling cooling;
  /// Parallel tempering: each lane keeps its temperature for all `sweeps`,
  /// and lanes of adjacent temperatures exchange states (Hukushima and Nemoto 1996).
  bool tempering = false;
  double target = -std::numeric_limits<double>::infinity();  ///< the run ends if a read
                                                             ///< reaches this energy
  /// Read k of the run starts at state_of(starts, first + k), or at 0 if empty.
  std::span<const std::vector<std::uint8_t>> starts = {};
  std::int64_t first = 0;
  /// The share of the remaining time for cooling, which is faster if sweeps are slow.
  double part = 0.9;
};

/// The temperature of each sweep, times `scale`,
/// if fields vary by `spread` and energies differ by multiples of `step` (0: unknown).
/// Computed on demand, since memory may be too small for one number for each sweep.
class Temperatures {
 public:
  Temperatures(const Cooling& cooling, double scale, double spread, double step = 0.0);

  [[nodiscard]] int sweeps() const { return sweeps_; }
  /// The temperature at progress `done`, 0 to 1.
  [[nodiscard]] float operator()(double done) const;

 private:
  int sweeps_;
  Schedule schedule_;
  double hot_;
  double cold_;
  std::vector<float> steps_;  // the vendor's schedule; empty for others
};

/// Calls sweep(temperatures of lanes) for each sweep of a run of 16 lanes, as long as
/// it returns true.  `energy` has the lanes' energies after each sweep.
void anneal_lanes(const AnnealRun& run,
                  const Scale& scale,
                  const num::FloatLine& energy,
                  const Rng& rng,
                  const Stop& stop,
                  const std::function<bool(const num::FloatLine&)>& sweep);

}  // namespace oa::solve
