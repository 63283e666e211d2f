#pragma once

#include "oa/solve/polynomial/task.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace oa::solve {

/// True if a polynomial is small enough for the searches below.
[[nodiscard]] bool may_branch(const WholePolynomial& p);

/// The end of a search.
struct Branched {
  Result result;
  double closed = 0.0;  ///< part of the root's gap that is closed
};

/// Depth-first branch and bound with PenaltyBound, in integers.
/// First proves that no x is much better than the root bound,
/// then tightens step by step, so that a limited search also has a bound.
///
/// Starts at `known`, which is not empty.
/// Ends after settings.max_nodes, or after reading `work` numbers, about 4 ns each.
/// Returns ProvedOptimal, or Stopped with a valid bound.  If settings.top > 1,
/// finds the lexicographically smallest of equal solutions, else any.  Uses one thread.
[[nodiscard]] Branched search_penalties(const PolynomialTask& task,
                                        const std::vector<Solution>& known,
                                        std::int64_t work,
                                        const Stop& stop);

/// Counts the x as good as the optimum `best`; at most 2^64 - 1.
/// Empty if the polynomial is too large, or if counting takes more than `work`.
[[nodiscard]] std::optional<std::uint64_t> count_optima(const WholePolynomial& p,
                                                        const Solution& best,
                                                        std::int64_t work,
                                                        const Stop& stop);

}  // namespace oa::solve
