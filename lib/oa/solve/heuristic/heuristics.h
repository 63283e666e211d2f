#pragma once

#include "oa/solve/method/solver.h"

namespace oa::solve {

// The heuristics; each .cc file describes its algorithm.  Makers take any batch,
// but only a batch with a matrix if another function here solves single problems.

/// Simulated annealing: anneal.cc; single problems: rounds.cc.
[[nodiscard]] SolverMaker make_annealing;
[[nodiscard]] PartSolver solve_annealing;

/// Parallel tempering: anneal.cc; single problems: rounds.cc.
[[nodiscard]] SolverMaker make_tempering;
[[nodiscard]] PartSolver solve_tempering;

/// Tabu search with restarts: tabu.cc.
[[nodiscard]] SolverMaker make_tabu;
inline constexpr PartSolver* solve_tabu = solve_alone<make_tabu>;

/// Simulated bifurcation: bifurcation.cc.
[[nodiscard]] SolverMaker make_ballistic_bifurcation;
[[nodiscard]] SolverMaker make_discrete_bifurcation;

/// The mean-field model of a coherent Ising machine,
/// also with amplitude control: cim.cc.
[[nodiscard]] SolverMaker make_coherent_machine;
[[nodiscard]] SolverMaker make_controlled_machine;

/// Rounds the minimum over the box: relaxation.cc.
[[nodiscard]] SolverMaker make_relaxation;
[[nodiscard]] PartSolver solve_relaxation;

/// The relaxation rounds values above this to 1.  The margin over 0.5 covers the single
/// precision of models and the tolerance of the paper's solver.
inline constexpr double kRoundedUp = 0.5 + 1e-6;

/// Flips the best variable until no flip helps: greedy.cc.
/// For a single problem, returns the known solution.
[[nodiscard]] SolverMaker make_greedy;
[[nodiscard]] PartSolver solve_greedy;

}  // namespace oa::solve
