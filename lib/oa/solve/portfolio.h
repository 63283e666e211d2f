#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/matrix.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/method.h"
#include "oa/solve/method/result.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace oa::solve {

/// A problem to be minimised over 0/1 vectors.  Energies and bounds of results leave
/// its offset in.
struct PartTask {
  const qubo::Quadratic& f;
  Settings settings;
  int threads = 1;
  TwoDoubles target = -std::numeric_limits<double>::infinity();
  std::vector<std::uint8_t> start;
  /// Some x that is known, or empty for 0: what is found is no worse.
  std::vector<std::uint8_t> known;
  /// Parallel tempering where otherwise reads are cooled.
  bool tempering = false;
  /// Told each x that is better than all before.
  std::function<void(std::span<const std::uint8_t>)> improved;
};

/// Annealing or tempering in rounds, 16 reads or replicas at a time on every thread.
/// With a time limit rounds of growing length until it ends, else as many reads as
/// settings say, or one round of a length that suits the size.
[[nodiscard]] Result solve_annealing(const PartTask& task,
                                     const Rng& rng,
                                     const Stop& stop);

/// The matrix of the pairs.
[[nodiscard]] qubo::Matrix dense(const qubo::Quadratic& f);

/// Branch and bound, begun at `task.known` if that is there.
[[nodiscard]] Result prove(const PartTask& task,
                           const Settings& settings,
                           const Stop& stop);

/// A short annealing, then a proof where the problem is small enough for one, then
/// annealing for as long as there is time.  What the reads of a round agree on is kept
/// and the rest annealed again; so with what the rounds came to.
[[nodiscard]] Result solve_portfolio(const PartTask& task,
                                     const Rng& rng,
                                     const Stop& stop);

}  // namespace oa::solve
