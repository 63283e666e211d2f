#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/solver.h"

#include <cstdint>

namespace oa::solve {

/// True if search_cuts() is probably faster than other proofs: for sparse graphs, if
/// LinearProgram::available().
[[nodiscard]] bool suits_cuts(const qubo::Quadratic& f);

/// The approximate time of its first bound.
[[nodiscard]] double cut_seconds(const qubo::Quadratic& f);

/// Limits of search_cuts().
struct CutEffort {
  std::int64_t work;  ///< approximate LinearProgram::work()
  /// True if a search whose bound rises too slowly ends early: another method follows.
  bool gives_up = false;
};

/// Branch and cut with a linear program over the edges of a graph, whose rows are odd
/// cycles (Barahona, Groetschel, Juenger and Reinelt, "An application of combinatorial
/// optimization to statistical physics and circuit layout design", 1988).  Every bound
/// is computed again from the prices of the program (bound.h).  ProvedOptimal, or
/// Stopped with a valid bound; finds any of several optima.
///
/// Begins at task.known; different energies differ by at least `step`.  The result is
/// the same for any number of threads, unless it is stopped.
[[nodiscard]] Result search_cuts(const PartTask& task,
                                 double step,
                                 const CutEffort& effort,
                                 const Stop& stop);

/// Work of about 30 s.
inline constexpr std::int64_t kSomeCutWork = 200'000'000;

}  // namespace oa::solve
