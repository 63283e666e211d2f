#pragma once

#include "oa/base/rng.h"
#include "oa/solve/heuristic/rounds.h"
#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/structure/structure.h"

#include <memory>
#include <vector>

namespace oa::solve {

/// Heuristics that compete until the time limit: annealing, tabu search and, for
/// problems with structure, replica exchange.  All run in cycles of growing length.
/// The leader gets most of each cycle; close competitors share the rest.
class Race {
 public:
  /// Solutions go to `rounds`.  All arguments except `rng` must outlive this.
  Race(const PartTask& task,
       const Structure& structure,
       Rounds& rounds,
       const Rng& rng);
  ~Race();

  /// Races until stopped.
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
  double cycle_s_ = 0.0;  // of the next cycle
};

}  // namespace oa::solve
