#pragma once

#include "oa/solve/cut/search.h"
#include "oa/solve/method/solver.h"

#include <cstdint>

namespace oa::solve {

/// The largest single problem, after presolving, that is solved exactly: its matrix is
/// dense.
inline constexpr int kMaxExact = 8192;

/// Limits of the work of a proof.
struct Effort {
  std::int64_t nodes;  ///< of search_spins()
  CutEffort cuts;
  bool split = true;      ///< may prove blocks one by one
  bool squares = true;    ///< may begin with search_sphere()
  bool conflicts = true;  ///< may begin with search_conflicts()
};

// A proof that takes at most half of the time limit is found within it: each step that
// may be the last gets at least half of the time.

/// Proves the optimum by dynamic programming (solve_tree()) where the graph has a
/// narrow tree decomposition, else by prove_without_tree().
[[nodiscard]] Result prove(const PartTask& task,
                           const Effort& effort,
                           const Stop& stop);

/// Proves by solve_rank_one() if couplings are products, or by search_conflicts() if
/// most of them are conflicts.  Else begins with search_sphere() if the problem is
/// least squares over numbers.  Else, or after a share of the time, proves by
/// search_cuts() if that suits the problem.  Other problems, and those that cuts leave
/// open, get search_boxes(), then search_spins() up to kMaxSearched variables;
/// problems of several blocks are proved block by block. Finds any of several optima.
/// With settings.top > 1, only search_boxes() is used.
[[nodiscard]] Result prove_without_tree(const PartTask& task,
                                        const Effort& effort,
                                        const Stop& stop);

/// prove() with as much work as the settings allow.
[[nodiscard]] PartSolver solve_exactly;

}  // namespace oa::solve
