#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/polynomial.h"
#include "oa/solve/single/general.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace oa::app {

/// The most solutions of a problem that are listed.
inline constexpr int kMostListed = 10000;
/// The same where constraints are kept: each is found by another search.
inline constexpr int kMostKept = 100;

/// How one problem is to be solved.
struct OneSettings {
  solve::GeneralSettings general;
  /// Of each variable 0, 1 or qubo::kFree; empty: none has a value.
  std::vector<std::uint8_t> fixed;
  bool all_optima = false;  ///< `general` has an exact method then
  /// The polynomial whose constraints the search keeps; null: constraints are
  /// penalties.
  const qubo::Polynomial* constrained = nullptr;
};

struct OneResult {
  solve::GeneralResult found;  ///< of the whole problem; all optima in `best` if asked
  bool complete = false;       ///< it is proved that there are no other optima
  bool penalised = true;       ///< constraints were penalties, if there are some
};

/// Solves `f` with some variables fixed, or looks for all its optima, at most
/// kMostListed.  Where constraints are kept, x are those of `constrained`, and at most
/// kMostKept.
[[nodiscard]] OneResult solve_one(const qubo::Quadratic& f,
                                  OneSettings settings,
                                  const Rng& rng,
                                  const std::stop_token& stop);

}  // namespace oa::app
