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

/// How to solve a model.
struct ModelSettings {
  Settings solver = {};
  const Method* method = nullptr;  ///< never null
  int threads = 1;
  bool presolve = true;
  bool count_optima = false;  ///< the number of optimal x, if one is proved
  bool all_optima = false;    ///< lists them; needs an exact method
  /// Solving ends at this energy.
  std::optional<double> target = {};
  /// Reads begin at these states, if there are some; no result is worse than their
  /// best.
  States initial = {};
  /// The result must be no worse than this vector, if it is not empty.
  std::vector<std::uint8_t> known = {};
  /// The value of each variable: 0, 1 or qubo::kFree; empty: all are free.
  std::vector<std::uint8_t> fixed = {};
  /// Called with each better energy, by one thread at a time.
  std::function<void(double energy)> improved = {};
  /// Called with each better bound, by one thread at a time.
  std::function<void(double bound)> bounded = {};
  StageReport staged = {};
  /// Called with the x of every read, in order, by methods with `samples`.  Presolving
  /// is then left out.
  std::function<void(std::span<const std::uint8_t>)> sampled = {};

  /// True if one best solution is wanted.  A pass may lose others then.
  [[nodiscard]] bool one_best() const {
    return solver.top == 1 && !all_optima && !sampled;
  }
};

/// The result, in the convention of the problem (its sense and variables).
struct ModelResult {
  std::vector<Solution> best;  ///< distinct, best first; a 1 is the spin +1
  /// No x is better.  The rounded energy of the best if that is proved optimal;
  /// infinite if nothing is known.
  double bound = 0.0;
  qubo::Status status = qubo::Status::BestFound;
  std::string_view method;  ///< the method that found the best
  /// What first found an energy as good as the best: "initial" for the initial vector,
  /// "greedy" for a descent, else `method`.
  std::string_view found_by;
  std::string_view proved_by;  ///< empty without a proof
  int searched = 0;            ///< variables left by presolving
  std::optional<std::uint64_t> optima =
      {};                      ///< if counted; 2^64 - 1 means at least that many
  std::string uncounted = {};  ///< the reason, if they were not counted
  qubo::Recovered recovered;
  bool complete = false;   ///< `best` has all optima, with proof
  bool penalised = false;  ///< a quadratic function with penalties was searched
};

}  // namespace oa::solve
