#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/solver.h"

#include <cstdint>

namespace oa::solve {

/// True if search_cuts() is probably the fastest proof:
/// for sparse graphs, if LinearProgram::available().
[[nodiscard]] bool suits_cuts(const qubo::Quadratic& f);

/// The approximate time until the first bound.
[[nodiscard]] double cut_seconds(const qubo::Quadratic& f);

/// The limits of search_cuts().
struct CutEffort {
  std::int64_t work;  ///< approximate LinearProgram::work()
  /// Ends early if the bound rises too slowly and another method can follow.
  bool gives_up = false;
};

/// Branch and cut by a linear program over the edges of a graph, with odd cycles as
/// rows (Barahona, Groetschel, Juenger and Reinelt, "An application of combinatorial
/// optimization to statistical physics and circuit layout design", 1988).
/// Each bound is recomputed from the program's prices (bound.h).
/// Returns ProvedOptimal, or Stopped with a valid bound, and any optimum.
///
/// Starts at task.known; different energies differ by at least `step`.
/// Unless stopped, the result does not depend on the number of threads.
[[nodiscard]] Result search_cuts(const PartTask& task,
                                 double step,
                                 const CutEffort& effort,
                                 const Stop& stop);

/// The amount of work that takes about 30 s.
inline constexpr std::int64_t kSomeCutWork = 200'000'000;

}  // namespace oa::solve
