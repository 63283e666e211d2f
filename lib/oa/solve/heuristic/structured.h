#pragma once

#include "oa/solve/chain/ladder.h"
#include "oa/solve/heuristic/cooling.h"
#include "oa/solve/method/incumbent.h"
#include "oa/solve/method/solver.h"
#include "oa/solve/structure/structure.h"

#include <vector>

namespace oa::solve {

/// Replica exchange with the moves of a problem's structure, which can be continued.
class StructuredSearch {
 public:
  /// `task` and `common`, the best of several searches, must outlive this.
  StructuredSearch(const PartTask& task,
                   const Structure& structure,
                   const Rng& rng,
                   Incumbent& common);

  /// Sets all chains to x.
  void begin(std::span<const std::uint8_t> x);
  /// Does `steps` steps; fewer if stopped, or if `common` reaches the target.
  /// Returns the best solution so far.
  const Solution& run(std::int64_t steps, const Stop& stop);

 private:
  void take(const Chain& chain, Pace& pace);
  void adapt();

  const PartTask& task_;
  Incumbent& common_;
  ChainProblem problem_;
  Ladder ladder_;
  Chain descent_;
  Solution best_;
  double lowest_;  // lowest energy of chains, up to rounding
  std::int64_t steps_ = 0;
  std::int64_t next_adapt_ = 32;
};

/// The structure of a task's couplings; empty if settings do not allow its use.
[[nodiscard]] Structure structure_of(const PartTask& task, const Stop& stop);

/// Searches with structured moves until the time limit, or for a fixed amount of work.
[[nodiscard]] Result solve_structured(const PartTask& task,
                                      const Structure& structure,
                                      const Rng& rng,
                                      const Stop& stop);

/// Cools a chain of `problem` in `part` of the remaining time, then descends.
/// Ends early if some sweeps change nothing.
void cool(Chain& chain,
          const ChainProblem& problem,
          Cooling cooling,
          double part,
          const Stop& stop);

/// True if most variables belong to the structure:
/// reads with structured moves then replace reads with single flips.
[[nodiscard]] bool suits_structured_reads(const Structure& structure, int n);

/// Annealing with structured moves: independent reads,
/// in rounds of growing length if the settings do not limit the work.
[[nodiscard]] Result anneal_structured(const PartTask& task,
                                       const Structure& structure,
                                       const Rng& rng,
                                       const Stop& stop);

/// Improves another search's states by structured moves.
class StructuredPolish {
 public:
  StructuredPolish(const qubo::Quadratic& f,
                   const Structure& structure,
                   const Rng& rng);

  /// Warms x a little and cools it, for `work`; keeps the better state.
  void operator()(std::vector<std::uint8_t>& x, std::int64_t work, const Stop& stop);

 private:
  ChainProblem problem_;
  Chain chain_;
  Rng rng_;
};

/// Replica exchange for problems with a common matrix.
/// Null if the matrix has no structure.
[[nodiscard]] SolverMaker make_structured;

}  // namespace oa::solve
