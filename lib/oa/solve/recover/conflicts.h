#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// A coupling that is no conflict: both variables together cost `cost`.
struct FurtherCoupling {
  std::int32_t other = 0;
  std::int64_t cost = 0;
};

inline constexpr int kNoVariable = -1;

/// A function of 0/1 variables as a weighted independent set: some minimum has no
/// conflicting pair.  A pair conflicts if its coupling is at least the most that one of
/// the two can gain, -(linear + negative couplings).  Setting this one to 0 then never
/// makes f larger.
///
/// Vertices are the variables that can gain anything; some minimum has 0 in all others.
/// If all further couplings are negative, each becomes a vertex without a variable:
///   -c x y = c - c x - c y - c (1 - x) (1 - y),
/// and a vertex of weight c that conflicts with both gains the last term.
///
/// Numbers are exact multiples of 2^unit, and the sum of their magnitudes is below
/// 2^60. Without a conflicting pair,
///   f(x) = offset + 2^unit (constant - sum of weights + sum of costs).
struct Conflicts {
  int unit = 0;
  std::int64_t constant = 0;
  std::vector<int> variables;         ///< of f, one for each vertex, or kNoVariable
  std::vector<std::int64_t> weights;  ///< minus the linear terms
  std::vector<std::int64_t> gains;    ///< the most that a vertex can gain
  std::vector<std::size_t> begins;    ///< of the rows of `others`
  std::vector<std::int32_t> others;   ///< conflicts: vertices, sorted in a row
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

  /// The vertices of an x of f without those that conflicts remove: f does not grow.
  /// All vertices without a variable that fit are among them.
  [[nodiscard]] std::vector<int> independent(std::span<const std::uint8_t> x) const;
  /// The x of f that is 1 at these vertices.
  [[nodiscard]] std::vector<std::uint8_t> x_of(std::span<const int> vertices,
                                               int variables_of_f) const;
  /// Weights minus costs of an independent set.
  [[nodiscard]] std::int64_t value(std::span<const int> vertices) const;
};

/// The conflicts of `f`, to be minimised over 0/1 vectors.  Nothing if they are fewer
/// than the further couplings and than the vertices, if numbers span too many digits,
/// or if stopped. O(n + pairs); O(n) for most problems of whole numbers without
/// conflicts.
[[nodiscard]] std::optional<Conflicts> find_conflicts(const qubo::Quadratic& f,
                                                      const Stop& stop);

}  // namespace oa::solve
