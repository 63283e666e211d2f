#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// A coupling that is no conflict: both variables at 1 cost `cost`.
struct FurtherCoupling {
  std::int32_t other = 0;
  std::int64_t cost = 0;
};

inline constexpr int kNoVariable = -1;

/// A function of 0/1 variables as a weighted independent set: some minimum contains no
/// conflicting pair.  The gain of a variable is -(linear + negative couplings).
/// A pair conflicts if its coupling is at least the gain of one of its variables:
/// setting this variable to 0 never increases f.
///
/// Vertices are the variables with a positive gain; some minimum has 0 elsewhere.
/// If all further couplings are negative, each becomes a vertex without a variable:
///   -c x y = c - c x - c y - c (1 - x) (1 - y);
/// the last term is gained by a vertex of weight c in conflict with x and y.
///
/// Numbers are multiples of 2^unit; their magnitudes sum to less than 2^60.
/// Without a conflicting pair,
///   f(x) = offset + 2^unit (constant - sum of weights + sum of costs).
struct Conflicts {
  int unit = 0;
  std::int64_t constant = 0;
  std::vector<int> variables;         ///< of f, for each vertex; or kNoVariable
  std::vector<std::int64_t> weights;  ///< minus the linear terms
  std::vector<std::int64_t> gains;    ///< largest possible gain of each vertex
  std::vector<std::size_t> begins;    ///< first of each vertex in `others`
  std::vector<std::int32_t> others;   ///< conflicting vertices, sorted in each row
  std::vector<std::size_t> further_begins;
  std::vector<FurtherCoupling> further;

  [[nodiscard]] int size() const { return static_cast<int>(variables.size()); }
  /// The number of conflicting pairs.
  [[nodiscard]] std::int64_t pairs() const {
    return static_cast<std::int64_t>(others.size() / 2);
  }
  [[nodiscard]] std::int64_t further_pairs() const {
    return static_cast<std::int64_t>(further.size() / 2);
  }
  [[nodiscard]] std::span<const std::int32_t> row(int v) const;
  [[nodiscard]] std::span<const FurtherCoupling> further_row(int v) const;

  /// Returns the vertices of x without conflicts, by removals that never increase f.
  /// Includes all vertices without a variable that fit.
  [[nodiscard]] std::vector<int> independent(std::span<const std::uint8_t> x) const;
  /// Returns the x of f with ones at `vertices`.
  [[nodiscard]] std::vector<std::uint8_t> x_of(std::span<const int> vertices,
                                               int variables_of_f) const;
  /// Returns weights minus costs of an independent set.
  [[nodiscard]] std::int64_t value(std::span<const int> vertices) const;
};

/// Finds the conflicts of a minimised `f`.  Empty if there are fewer conflicts than
/// further couplings or vertices, if numbers span too many digits, or if stopped.
/// O(n + pairs); usually O(n) for whole numbers without conflicts.
[[nodiscard]] std::optional<Conflicts> find_conflicts(const qubo::Quadratic& f,
                                                      const Stop& stop);

}  // namespace oa::solve
