#pragma once

#include "oa/solve/chain/ladder.h"
#include "oa/solve/heuristic/cooling.h"
#include "oa/solve/method/solver.h"
#include "oa/solve/structure/structure.h"

#include <vector>

namespace oa::solve {

/// Replica exchange with the moves of a problem's structure, as a search that can go
/// on.
class StructuredSearch {
 public:
  /// `task` must outlive this.
  StructuredSearch(const PartTask& task, const Structure& structure, const Rng& rng);

  /// Begins all chains at x.
  void begin(std::span<const std::uint8_t> x);
  /// Does this many steps, or fewer if stopped.  Returns the best solution so far.
  const Solution& run(std::int64_t steps, const Stop& stop);

 private:
  void take(const Chain& chain, Pace& pace);
  void adapt();

  const PartTask& task_;
  ChainProblem problem_;
  Ladder ladder_;
  Chain descent_;
  Solution best_;
  double lowest_;  // of chains, up to rounding
  std::int64_t steps_ = 0;
  std::int64_t next_adapt_ = 32;
};

/// The structure of a task's couplings; empty if the settings do not allow its use.
[[nodiscard]] Structure structure_of(const PartTask& task, const Stop& stop);

/// Searches with structured moves until the time limit, or for an amount of work.
[[nodiscard]] Result solve_structured(const PartTask& task,
                                      const Structure& structure,
                                      const Rng& rng,
                                      const Stop& stop);

/// Cools a chain of `problem` for `part` of the time left, and descends.  Ends early if
/// some sweeps change nothing.
void cool(Chain& chain,
          const ChainProblem& problem,
          Cooling cooling,
          double part,
          const Stop& stop);

/// True if most variables belong to the structure, so that reads with its moves replace
/// those of single flips.
[[nodiscard]] bool suits_structured_reads(const Structure& structure, int n);

/// Annealing with structured moves: independent reads, in rounds of growing length if
/// the settings give no amount of work.
[[nodiscard]] Result anneal_structured(const PartTask& task,
                                       const Structure& structure,
                                       const Rng& rng,
                                       const Stop& stop);

/// Improves states of another search by structured moves.
class StructuredPolish {
 public:
  StructuredPolish(const qubo::Quadratic& f,
                   const Structure& structure,
                   const Rng& rng);

  /// Warms x a little and cools it for an amount of work; keeps what is better.
  void operator()(std::vector<std::uint8_t>& x, std::int64_t work, const Stop& stop);

 private:
  ChainProblem problem_;
  Chain chain_;
  Rng rng_;
};

/// Replica exchange for problems that share a matrix.  Null if the matrix has no
/// structure.
[[nodiscard]] SolverMaker make_structured;

}  // namespace oa::solve
