#pragma once

#include "oa/base/exact_sum.h"
#include "oa/base/rng.h"
#include "oa/qubo/matrix.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/result.h"
#include "oa/solve/method/settings.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace oa::solve {

/// Solves  min 1/2 x'Jx + h'x over {0,1}^n  for one h after the other, as attention
/// poses them.  Owns scratch memory, so one per thread; refers to the matrix it was
/// made for.
class Solver {
 public:
  Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  virtual ~Solver() = default;

  /// Whether h may have fewer numbers than the matrix has rows: then it is a problem of
  /// its leading block.
  [[nodiscard]] virtual bool takes_leading_blocks() const { return false; }

  /// Same h, rng and settings, same result, unless stopped by the clock or on request.
  [[nodiscard]] virtual Result solve(std::span<const double> h,
                                     const Rng& rng,
                                     const Stop& stop) = 0;
};

/// Does once what all problems with this matrix share; what takes longer than `stop`
/// allows is left out, where solving does without.
using SolverMaker = std::unique_ptr<Solver>(const qubo::Matrix& j,
                                            const Settings& settings,
                                            const Stop& stop);

/// A single problem, or a part of one, to be minimised over 0/1 vectors.  It may be
/// very large.  Energies and bounds of results contain its offset.
struct PartTask {
  const qubo::Quadratic& f;
  Settings settings;
  /// What is there already; a search may begin with it.  Who asks for a solution takes
  /// the better of the two.
  const Solution& known;
  int threads = 1;
  /// Searching may end when an energy is as low as this.
  TwoDoubles target = -std::numeric_limits<double>::infinity();
  /// Where annealing begins; empty: at 0.
  std::vector<std::uint8_t> start = {};
  /// Told each x that is better than all before, by solvers that find several.
  std::function<void(std::span<const std::uint8_t>)> improved = {};
  /// Told each bound that is better than those before, by solvers that find several.
  std::function<void(double)> bounded = {};
  /// Told the x of every read, in their order, by solvers whose reads are independent.
  std::function<void(std::span<const std::uint8_t>)> sampled = {};
};

/// The same with another beginning.
[[nodiscard]] inline PartTask begun_at(const Solution& known, const PartTask& task) {
  return {.f = task.f,
          .settings = task.settings,
          .known = known,
          .threads = task.threads,
          .target = task.target,
          .start = task.start,
          .improved = task.improved,
          .bounded = task.bounded};
}

/// Solves it.  Same task and rng, same result, unless stopped.
using PartSolver = Result(const PartTask& task, const Rng& rng, const Stop& stop);

}  // namespace oa::solve
