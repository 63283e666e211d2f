#pragma once

#include "oa/qubo/recovered.h"
#include "oa/solve/method/result.h"
#include "oa/solve/method/stage.h"
#include "oa/solve/method/states.h"
#include "oa/solve/methods.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oa::solve {

/// Settings for solving a model.
struct ModelSettings {
  Settings solver = {};
  const Method* method = nullptr;  ///< not null
  int threads = 1;
  bool presolve = true;
  bool count_optima = false;  ///< count optimal x, if an optimum is proved
  bool all_optima = false;    ///< list all optima; needs an exact method
  /// The search ends at this energy.
  std::optional<double> target = {};
  /// Reads start at these states; no result is worse than the best of them.
  States initial = {};
  /// No result is worse than this vector, unless it is empty.
  std::vector<std::uint8_t> known = {};
  /// The value of each variable: 0, 1 or qubo::kFree; empty: all variables are free.
  std::vector<std::uint8_t> fixed = {};
  /// Called for each better energy, by one thread at a time.
  std::function<void(double energy)> improved = {};
  /// Called for each better bound, by one thread at a time.
  std::function<void(double bound)> bounded = {};
  StageReport staged = {};
  /// Called for the x of every read, in order, by methods with `samples`.
  /// If set, there is no presolving.
  std::function<void(std::span<const std::uint8_t>)> sampled = {};

  /// True if one best solution is wanted: a pass may lose further solutions.
  [[nodiscard]] bool one_best() const {
    return solver.top == 1 && !all_optima && !sampled;
  }
};

/// The result for the problem's own sense and variables.
struct ModelResult {
  std::vector<Solution> best;  ///< distinct, best first; a 1 is the spin +1
  /// A bound of all x.
  /// If proved optimal, the rounded energy of the best x; infinite if nothing is known.
  double bound = 0.0;
  qubo::Status status = qubo::Status::BestFound;
  std::string_view method;  ///< method that found the best
  /// The method that first found an energy as good as the best:
  /// "initial" for the initial vector, "greedy" for a descent, else `method`.
  std::string_view found_by;
  std::string_view proved_by;                ///< empty without a proof
  int searched = 0;                          ///< variables that presolving left
  std::optional<std::uint64_t> optima = {};  ///< if counted; 2^64 - 1: at least so many
  std::string uncounted = {};                ///< reason for an empty count
  qubo::Recovered recovered;
  bool complete = false;   ///< `best` has all optima, proved
  bool penalised = false;  ///< searched a quadratic function with penalties
};

}  // namespace oa::solve
