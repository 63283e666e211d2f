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

/// Up to this many free variables, a problem is solved by trying every x.
inline constexpr int kMaxTried = 20;

/// What to look for.
struct Wanted {
  int most = 1;         ///< solutions to return
  bool optima = false;  ///< only x as good as the best
};

/// The result of trying every x.
struct BestOfAll {
  /// By value, then lexicographically; empty if no x satisfies all constraints.
  std::vector<Solution> best;
  std::uint64_t optima = 0;  ///< x as good as the best, with most == 1 or optima
};

/// True if `p` has few enough variables beside those that `fixed` gives a value; fixed
/// is as long as p, or empty.
[[nodiscard]] bool enumerable(const qubo::Polynomial& p,
                              std::span<const std::uint8_t> fixed);

/// Exact for any weights.  Constraints have whole numbers.  Nothing if it is stopped.
/// O(2^m (m + rows)) for m free variables, and more where weights span many digits.
[[nodiscard]] std::optional<BestOfAll> best_of_all(const qubo::Polynomial& p,
                                                   std::span<const std::uint8_t> fixed,
                                                   const Wanted& wanted,
                                                   const Stop& stop);

/// The same as a result with proof.  If no x satisfies all constraints, the best is one
/// that violates some.  Half a second is always given.
[[nodiscard]] std::optional<ModelResult> solve_by_enumeration(
    const qubo::Polynomial& p,
    std::span<const std::uint8_t> fixed,
    const Wanted& wanted,
    const ModelSettings& settings,
    const std::stop_token& stop);

}  // namespace oa::solve
