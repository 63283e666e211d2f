#pragma once

#include "oa/base/rng.h"
#include "oa/solve/heuristic/rounds.h"
#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/structure/structure.h"

#include <memory>
#include <vector>

namespace oa::solve {

/// Heuristics that compete for the time until a limit: annealing, tabu search and, for
/// problems with structure, replica exchange.  They go on in cycles of growing
/// length, in which the one with the best solution gets most of the time, and others
/// the rest as long as they are near.
class Race {
 public:
  /// Solutions go to `rounds`.  All arguments but `rng` must outlive this.
  Race(const PartTask& task,
       const Structure& structure,
       Rounds& rounds,
       const Rng& rng);
  ~Race();

  /// Goes on until stopped.
  void run(const Stop& stop);

 private:
  class Way;
  class Annealing;
  class Cooling;
  class Tabu;
  class Exchange;

  void go_on(Way& way, const Stop& stop);
  void rank();
  [[nodiscard]] bool hurries(const Stop& stop) const;
  [[nodiscard]] double share(const Way& way) const;

  const PartTask& task_;
  const Structure& structure_;
  Rounds& rounds_;
  std::vector<std::unique_ptr<Way>> ways_;
  Way* leader_ = nullptr;
  int cycles_ = 0;
  double cycle_s_ = 0.0;  // length of the next cycle
};

}  // namespace oa::solve
