#pragma once

#include "oa/solve/cut/search.h"
#include "oa/solve/method/solver.h"

#include <cstdint>

namespace oa::solve {

/// The largest single problem to solve exactly, after presolving: its matrix is dense.
inline constexpr int kMaxExact = 8192;

/// The work limits of a proof.
struct Effort {
  std::int64_t nodes;  ///< of search_spins()
  CutEffort cuts;
  bool split = true;        ///< may prove block by block
  bool squares = true;      ///< may begin with search_sphere()
  bool conflicts = true;    ///< may begin with search_conflicts()
  bool assignments = true;  ///< may continue with prove_assignments()
};

// A proof that takes at most half of the time limit succeeds within it,
// because each step that may be the last gets at least half of the time.

/// Proves the optimum by dynamic programming (solve_tree()) if the graph has a narrow
/// tree decomposition, else by prove_without_tree().
[[nodiscard]] Result prove(const PartTask& task,
                           const Effort& effort,
                           const Stop& stop);

/// Tries in order: solve_rank_one() if couplings are products, search_conflicts() and
/// prove_assignments() if most couplings are conflicts, search_sphere() if the problem
/// is least squares over numbers, and search_cuts() for a share of the time if the
/// problem suits it. Then runs search_boxes(), and search_spins() up to kMaxSearched
/// variables. Proves problems of several blocks block by block.  Finds any optimum. If
/// settings.top > 1, uses search_boxes() only.
[[nodiscard]] Result prove_without_tree(const PartTask& task,
                                        const Effort& effort,
                                        const Stop& stop);

/// prove() with the work limits of the settings.
[[nodiscard]] PartSolver solve_exactly;

}  // namespace oa::solve
