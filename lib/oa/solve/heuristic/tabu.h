#pragma once

#include "oa/base/rng.h"
#include "oa/solve/method/result.h"
#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/structure/structure.h"

#include <memory>

namespace oa::solve {

/// Tabu search of a single problem, which can be continued:
/// rounds of reads whose length doubles.
class TabuSearch {
 public:
  /// `task` must outlive this.
  TabuSearch(const PartTask& task, const Structure& structure, const Rng& rng);
  ~TabuSearch();

  /// Continues until stopped.  Returns the best solution so far.
  const Solution& run(const Stop& stop);

 private:
  class Reads;
  std::unique_ptr<Reads> reads_;
};

}  // namespace oa::solve
