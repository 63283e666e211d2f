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

/// Solves min 1/2 x'Jx + h'x over {0,1}^n for a sequence of h.
/// Borrows the matrix and keeps scratch memory: use one object per thread.
class Solver {
 public:
  Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  virtual ~Solver() = default;

  /// True if h may be shorter than the matrix: the problem is then the leading block's.
  [[nodiscard]] virtual bool takes_leading_blocks() const { return false; }

  /// Unless stopped, equal h, rng and settings give equal results.
  [[nodiscard]] virtual Result solve(std::span<const double> h,
                                     const Rng& rng,
                                     const Stop& stop) = 0;
};

/// A single problem, or a part of a problem, minimised over 0/1 vectors.
/// Energies and bounds of results include its offset.
struct PartTask {
  const qubo::Quadratic& f;
  Settings settings;
  /// The best known solution, from which a search may start.
  /// The caller takes the better of `known` and the result.
  const Solution& known;
  int threads = 1;
  /// The search may end when it reaches this energy.
  TwoDoubles target = -std::numeric_limits<double>::infinity();
  /// Read k of annealing starts at state_of(starts, k), or at 0 if `starts` is empty.
  States starts = {};
  /// Called for each x that improves on all earlier x.
  std::function<void(std::span<const std::uint8_t>)> improved = {};
  /// Called for each bound that improves on all earlier bounds.
  std::function<void(double)> bounded = {};
  /// Called for the x of every read, in order, by methods with independent reads.
  std::function<void(std::span<const std::uint8_t>)> sampled = {};
  /// Receives the structure that the method finds in the couplings; may be null.
  qubo::Recovered* recovered = nullptr;
  StageReport staged = {};
};

/// Copies the task with another best solution.
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

/// Solves a task.  Unless stopped, equal tasks and rng give equal results.
using PartSolver = Result(const PartTask& task, const Rng& rng, const Stop& stop);

/// The problems that a solver is made for: many problems with one matrix,
/// or a single problem.  Exactly one pointer is not null.
struct Batch {
  const qubo::Matrix* matrix = nullptr;
  const PartTask* single = nullptr;

  Batch(const qubo::Matrix& j) : matrix(&j) {}  // NOLINT: implicit, the usual batch
  explicit Batch(const PartTask& task) : single(&task) {}
  [[nodiscard]] int size() const { return single ? single->f.size() : matrix->size(); }
};

/// Prepares the common part of a batch of problems.
/// Skips optional parts that take longer than `stop` allows.
using SolverMaker = std::unique_ptr<Solver>(const Batch& batch,
                                            const Settings& settings,
                                            const Stop& stop);

/// Solves a single problem as a batch of one.
template <SolverMaker* make>
Result solve_alone(const PartTask& task, const Rng& rng, const Stop& stop) {
  return make(Batch(task), task.settings, stop)->solve(task.f.linear, rng, stop);
}

}  // namespace oa::solve
