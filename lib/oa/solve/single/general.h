#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/result.h"
#include "oa/solve/methods.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace oa::solve {

/// How a problem of any kind is to be solved.
struct GeneralSettings {
  Settings solver = {};
  const Method* method = nullptr;  ///< never null
  int threads = 1;
  bool presolve = true;
  bool count_optima =
      false;  ///< how many x are as good as the best, where it is proved
  /// Enough: solving ends when this energy of the problem is reached.
  std::optional<double> target = {};
  /// Where searching begins, as 0s and 1s; empty: nowhere special.
  std::vector<std::uint8_t> initial = {};
  /// Told each better energy of the problem as it is found; by one thread at a time.
  std::function<void(double energy)> improved = {};
  /// Told each better bound, likewise.
  std::function<void(double bound)> bounded = {};
  /// Told the x of every read, in their order, by methods with `samples`.  The problem
  /// is then searched as it is.
  std::function<void(std::span<const std::uint8_t>)> sampled = {};
};

/// What was found, in the problem's own convention.
struct GeneralResult {
  std::vector<Solution> best;  ///< Distinct, best first; a 1 is the spin +1.
  /// No x is better; the energy of the best, as it is rounded, where that is proved;
  /// infinite where nothing is known.
  double bound = 0.0;
  qubo::Status status = qubo::Status::BestFound;
  std::string_view method;  ///< what the best was taken from
  /// What first found an energy as good as the best: "initial" where the vector to
  /// begin with has it, "greedy" where going downhill leads to it, else `method`.
  std::string_view found_by;
  std::string_view proved_by;  ///< empty where nothing is proved
  int searched = 0;            ///< variables that presolving left
  std::optional<std::uint64_t> optima =
      {};                      ///< if counted; 2^64 - 1 stands for more, too
  std::string uncounted = {};  ///< why not
};

/// Solves `f`.  Everything that is proved is proved of the numbers of `f`: where these
/// are too far apart to be kept exactly (pose()), what is rounded is told apart by a
/// margin or nothing is claimed.  Same f, settings and seed, same result, whatever the
/// number of threads, unless a time limit or a target ends it.  Throws InputError for a
/// method that is not for so many variables.
[[nodiscard]] GeneralResult solve_general(const qubo::Quadratic& f,
                                          const GeneralSettings& settings,
                                          const Rng& rng,
                                          const std::stop_token& stop);

}  // namespace oa::solve
