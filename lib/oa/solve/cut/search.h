#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/solver.h"

#include <cstdint>

namespace oa::solve {

/// Whether search_cuts() is likely to be quicker than other proofs: of graphs with few
/// edges for each node, and with LinearProgram::available().
[[nodiscard]] bool suits_cuts(const qubo::Quadratic& f);

/// How long its first bound takes, roughly.
[[nodiscard]] double cut_seconds(const qubo::Quadratic& f);

/// How much search_cuts() may take.
struct CutEffort {
  std::int64_t work;  ///< LinearProgram::work(), about
  /// Whether it ends where its bound rises too slowly to arrive before its time is
  /// over: there is something else to do.
  bool gives_up = false;
};

/// Branch and cut: bounds of a linear program over the edges of a graph, whose rows are
/// odd cycles (Barahona, Groetschel, Juenger and Reinelt, "An application of
/// combinatorial optimization to statistical physics and circuit layout design", 1988).
/// ProvedOptimal, or Stopped with a bound that holds; of several optima any.  Every
/// bound is computed anew from the prices that the program finds (bound.h).
///
/// Begins at task.known; energies differ by `step` at least.  Unless stopped, the same
/// for any number of threads.
[[nodiscard]] Result search_cuts(const PartTask& task,
                                 double step,
                                 const CutEffort& effort,
                                 const Stop& stop);

/// Work of half a minute.
inline constexpr std::int64_t kSomeCutWork = 200'000'000;

}  // namespace oa::solve
