#pragma once

#include "oa/qubo/matrix.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/cut/search.h"
#include "oa/solve/method/solver.h"

#include <cstdint>

namespace oa::solve {

/// The largest single problem, once presolved, that is solved exactly: that takes a
/// matrix of doubles, and others beside it.
inline constexpr int kMostExact = 8192;

/// Branch and bound (Exact), begun at `task.known`.
[[nodiscard]] Result prove(const PartTask& task, const Stop& stop);

/// How much a proof may take.
struct Effort {
  std::int64_t nodes;  ///< of search_spins()
  CutEffort cuts;
  bool split = true;  ///< whether blocks may be proved one by one
};

// A proof that takes at most half of the time limit without one is found within it: a
// step that may be the last one has half of all the time, and ends for no other reason
// than it does without a limit.

/// By search_cuts() where that suits the problem.  Else, or if it fails and there are
/// at most kMostSearched variables, prove(), and what that leaves open after some nodes
/// by search_spins(): block by block where there are several.  If more than one
/// solution is asked for, only prove(); else of several optima any.
[[nodiscard]] Result prove_hard(const PartTask& task,
                                const Effort& effort,
                                const Stop& stop);

/// By solve_tree() where the graph has a narrow tree decomposition, else prove_hard().
[[nodiscard]] Result prove_any(const PartTask& task,
                               const Effort& effort,
                               const Stop& stop);

/// For users to choose: a tree decomposition where the graph has a narrow one, else
/// prove_hard().
[[nodiscard]] SolverMaker make_exact;
[[nodiscard]] PartSolver solve_exactly;

}  // namespace oa::solve
