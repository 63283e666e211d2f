#pragma once

#include "oa/base/exact_sum.h"
#include "oa/base/rng.h"
#include "oa/qubo/matrix.h"
#include "oa/qubo/quadratic.h"
#include "oa/qubo/recovered.h"
#include "oa/solve/method/result.h"
#include "oa/solve/method/settings.h"
#include "oa/solve/method/stage.h"
#include "oa/solve/method/states.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>

namespace oa::solve {

/// Solves  min 1/2 x'Jx + h'x over {0,1}^n  for many h, one after the other.  Keeps a
/// reference to the matrix, and scratch memory: use one object per thread.
class Solver {
 public:
  Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  virtual ~Solver() = default;

  /// True if h may be shorter than the matrix; the problem is then that of its leading
  /// block.
  [[nodiscard]] virtual bool takes_leading_blocks() const { return false; }

  /// The same h, rng and settings give the same result, unless it is stopped.
  [[nodiscard]] virtual Result solve(std::span<const double> h,
                                     const Rng& rng,
                                     const Stop& stop) = 0;
};

/// A single problem, or a part of one, to be minimised over 0/1 vectors.  Energies and
/// bounds of results contain its offset.
struct PartTask {
  const qubo::Quadratic& f;
  Settings settings;
  /// The best solution known; a search may begin with it.  The caller takes the better
  /// of this and the result.
  const Solution& known;
  int threads = 1;
  /// The search may end at an energy as low as this.
  TwoDoubles target = -std::numeric_limits<double>::infinity();
  /// Read k of annealing begins at state_of(starts, k); without states, at 0.
  States starts = {};
  /// Called for each x that is better than all before.
  std::function<void(std::span<const std::uint8_t>)> improved = {};
  /// Called for each bound that is better than all before.
  std::function<void(double)> bounded = {};
  /// Called for the x of every read, in order, by methods with independent reads.
  std::function<void(std::span<const std::uint8_t>)> sampled = {};
  /// What the method finds in the couplings is added here, if it is not null.
  qubo::Recovered* recovered = nullptr;
  StageReport staged = {};
};

/// The same task with another best solution.
[[nodiscard]] inline PartTask begun_at(const Solution& known, const PartTask& task) {
  return {.f = task.f,
          .settings = task.settings,
          .known = known,
          .threads = task.threads,
          .target = task.target,
          .starts = task.starts,
          .improved = task.improved,
          .bounded = task.bounded};
}

/// Solves the task.  The same task and rng give the same result, unless it is stopped.
using PartSolver = Result(const PartTask& task, const Rng& rng, const Stop& stop);

/// The problems that a solver is made for: many with one matrix, or a single one.  Only
/// one of the pointers is not null.
struct Batch {
  const qubo::Matrix* matrix = nullptr;
  const PartTask* single = nullptr;

  Batch(const qubo::Matrix& j) : matrix(&j) {}  // NOLINT: the usual batch
  explicit Batch(const PartTask& task) : single(&task) {}
  [[nodiscard]] int size() const { return single ? single->f.size() : matrix->size(); }
};

/// Prepares what all problems of a batch share.  Skips optional parts that take longer
/// than `stop` allows.
using SolverMaker = std::unique_ptr<Solver>(const Batch& batch,
                                            const Settings& settings,
                                            const Stop& stop);

/// Solves a single problem as a batch of one.
template <SolverMaker* make>
Result solve_alone(const PartTask& task, const Rng& rng, const Stop& stop) {
  return make(Batch(task), task.settings, stop)->solve(task.f.linear, rng, stop);
}

}  // namespace oa::solve
