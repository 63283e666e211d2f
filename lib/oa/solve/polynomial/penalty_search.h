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
  double closed = 0.0;  ///< the part of the gap at the root that is closed
};

/// Depth-first branch and bound with a PenaltyBound, in whole numbers.  Proves first
/// that no x is much better than the bound of the root, then more and more, so that a
/// search that is cut short has a bound, too.
///
/// Begins at `known`, which is not empty.  Ends after settings.max_nodes, and after
/// `work` numbers that it touched, about 4 ns each.  ProvedOptimal, or Stopped with a
/// valid bound.  With settings.top above 1 it finds the lexicographically smallest of
/// equal solutions, else any.  One thread.
[[nodiscard]] Branched search_penalties(const PolynomialTask& task,
                                        const std::vector<Solution>& known,
                                        std::int64_t work,
                                        const Stop& stop);

/// The number of x as good as `best`, an optimum; 2^64 - 1 means at least that many.
/// Nothing if it takes more than `work`, or if the polynomial is too large.
[[nodiscard]] std::optional<std::uint64_t> count_optima(const WholePolynomial& p,
                                                        const Solution& best,
                                                        std::int64_t work,
                                                        const Stop& stop);

}  // namespace oa::solve
