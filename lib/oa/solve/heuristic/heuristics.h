#pragma once

#include "oa/solve/method/solver.h"

namespace oa::solve {

// The heuristics.  What a file does is said in its .cc; each makes solvers of problems
// that share a matrix, and solves single ones.

/// Simulated annealing: anneal.cc, and of single problems rounds.cc.
[[nodiscard]] SolverMaker make_annealing;
[[nodiscard]] PartSolver solve_annealing;

/// Parallel tempering: tempering.cc, and of single problems rounds.cc.
[[nodiscard]] SolverMaker make_tempering;
[[nodiscard]] PartSolver solve_tempering;

/// Tabu search with restarts: tabu.cc.
[[nodiscard]] SolverMaker make_tabu;
[[nodiscard]] PartSolver solve_tabu;

/// Simulated bifurcation: bifurcation.cc.
[[nodiscard]] SolverMaker make_ballistic_bifurcation;
[[nodiscard]] PartSolver solve_ballistic_bifurcation;
[[nodiscard]] SolverMaker make_discrete_bifurcation;
[[nodiscard]] PartSolver solve_discrete_bifurcation;

/// The coherent Ising machine as a mean field, and with amplitude control: cim.cc.
[[nodiscard]] SolverMaker make_coherent_machine;
[[nodiscard]] PartSolver solve_coherent_machine;
[[nodiscard]] SolverMaker make_controlled_machine;
[[nodiscard]] PartSolver solve_controlled_machine;

/// The minimum over the box, rounded: relaxation.cc.
[[nodiscard]] SolverMaker make_relaxation;
[[nodiscard]] PartSolver solve_relaxation;

/// What it rounds to 1 is above this: above one half by more than the single precision
/// of a model and the tolerance of the reproduction's solver leave open.
inline constexpr double kRoundedUp = 0.5 + 1e-6;

/// The best flip until none helps: greedy.cc.  Of a single problem that is what is
/// known already.
[[nodiscard]] SolverMaker make_greedy;
[[nodiscard]] PartSolver solve_greedy;

}  // namespace oa::solve
