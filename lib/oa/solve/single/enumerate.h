#pragma once

#include "oa/qubo/polynomial.h"
#include "oa/solve/method/result.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/single/model_settings.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace oa::solve {

/// The maximum number of free variables for trying every x.
inline constexpr int kMaxTried = 20;

/// The solutions to look for.
struct Wanted {
  int most = 1;         ///< maximum of solutions to return
  bool optima = false;  ///< returns only x as good as the best
};

/// The result of trying every x.
struct BestOfAll {
  /// Sorted by value, then lexicographically; empty if no x is feasible.
  std::vector<Solution> best;
  std::uint64_t optima = 0;  ///< number of optima, if most == 1 or optima
};

/// True if `p` has few enough free variables; `fixed` is as long as p, or empty.
[[nodiscard]] bool enumerable(const qubo::Polynomial& p,
                              std::span<const std::uint8_t> fixed);

/// Exact for any weights.  Constraints must be whole.  Empty if stopped.
/// O(2^m (m + rows)) for m free variables; more if weights span many digits.
[[nodiscard]] std::optional<BestOfAll> best_of_all(const qubo::Polynomial& p,
                                                   std::span<const std::uint8_t> fixed,
                                                   const Wanted& wanted,
                                                   const Stop& stop);

/// Returns best_of_all() as a proved ModelResult.
/// If no x is feasible, the best x violates a constraint.  Gets at least half a second.
[[nodiscard]] std::optional<ModelResult> solve_by_enumeration(
    const qubo::Polynomial& p,
    std::span<const std::uint8_t> fixed,
    const Wanted& wanted,
    const ModelSettings& settings,
    const std::stop_token& stop);

}  // namespace oa::solve
