#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/polynomial.h"
#include "oa/solve/single/general.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace oa::app {

/// Largest number of solutions to list.
inline constexpr int kMostListed = 10000;
/// The same if the search keeps constraints: each solution takes a search.
inline constexpr int kMostKept = 100;

/// How to solve one problem.
struct OneSettings {
  solve::GeneralSettings general;
  /// The value of each variable: 0, 1 or qubo::kFree; empty: all are free.
  std::vector<std::uint8_t> fixed;
  bool all_optima = false;  ///< needs an exact method in `general`
  /// The polynomial whose constraints the search keeps; null: they are penalties.
  const qubo::Polynomial* constrained = nullptr;
  /// The polynomial without constraints that is searched in its own form; null: f.
  const qubo::Polynomial* own_form = nullptr;
};

struct OneResult {
  solve::GeneralResult found;  ///< for the whole problem; `best` may hold all optima
  bool complete = false;       ///< `best` has all optima, with proof
  bool penalised = true;       ///< constraints were penalties
};

/// Solves `f` with some variables fixed, or lists all its optima, at most kMostListed.
/// If the search keeps constraints, solutions are those of `constrained`, at most
/// kMostKept.
[[nodiscard]] OneResult solve_one(const qubo::Quadratic& f,
                                  OneSettings settings,
                                  const Rng& rng,
                                  const std::stop_token& stop);

}  // namespace oa::app
