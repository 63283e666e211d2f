#pragma once

#include "oa/base/exact_sum.h"
#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/heuristic/narrow.h"
#include "oa/solve/method/result.h"
#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace oa::solve {

/// Annealing or tempering of a single problem in rounds, with 16 reads or replicas at a
/// time on every thread.  Keeps the best solutions.
class Rounds {
 public:
  struct Options {
    /// Parallel tempering instead of cooled reads.
    bool tempering = false;
    /// Fixes variables on which the reads of a round agree, and anneals the rest again;
    /// also merges the results of rounds.
    /// If couplings are dense and time is limited, heats and cools good states instead.
    /// Narrow moves follow each merging if couplings suit them.
    bool merging = false;
  };

  static constexpr int kFirstSweeps = 64;  // of the first annealing

  /// Starts with `task.known`.  `task` and `stop` must outlive this.
  Rounds(const PartTask& task,
         const Options& options,
         const Rng& rng,
         const Stop& stop);
  ~Rounds();

  void anneal_shortly();
  /// With a time limit, runs rounds of growing length until the limit;
  /// another call continues.  Without, does settings.reads reads,
  /// or rounds up to a length that suits the problem's size.
  void anneal();

  /// Adds a solution of another method.
  void offer(std::span<const std::uint8_t> x, std::string_view method);

  /// True if the target is reached, or if stopped.
  [[nodiscard]] bool done() const { return stop_() || reached(); }
  [[nodiscard]] const Solution& best() const { return pool_.best().front(); }
  /// The method that found best().
  [[nodiscard]] std::string_view method() const { return method_; }

  /// Moves the solutions out of this, without a proof.
  [[nodiscard]] Result result();

 private:
  class Annealers;

  /// The state of thermal cycling, which can continue.
  struct Cycles {
    std::vector<Solution> pool = {};  // good states
    int sweeps = kFirstSweeps;        // of the next generation
    int most_sweeps = 512;
    int idle = 0;  // generations without progress
  };

  void round(int reads, int sweeps);
  void anneal_until_stopped();
  void cycle_until_stopped();
  [[nodiscard]] bool cycle(std::vector<Solution>& pool, int sweeps, double spread);
  void anneal_enough();
  [[nodiscard]] Solution merged(const qubo::Quadratic& f,
                                std::vector<Solution> found,
                                int reads,
                                int sweeps,
                                const Rng& rng) const;
  [[nodiscard]] bool reached() const { return best().value() <= task_.target; }
  [[nodiscard]] bool merges() const;
  void polish(Solution& s, double seconds, const Rng& rng);
  void insert(const Solution& s, std::string_view method);
  void report(const Solution& s);

  const PartTask& task_;
  Options options_;
  Rng rng_;
  const Stop& stop_;
  Pool pool_;
  std::unique_ptr<Annealers> annealers_;
  std::vector<Solution> elite_;  // results of rounds, best first
  /// Narrow moves of each thread; empty if the problem does not suit them.
  std::vector<std::unique_ptr<NarrowMoves>> narrow_;
  double sweeps_ = kFirstSweeps;  // of the next round
  Cycles cycles_;
  std::uint64_t rounds_ = 0;
  std::string_view method_;
  TwoDoubles reported_ = std::numeric_limits<double>::infinity();
};

}  // namespace oa::solve
