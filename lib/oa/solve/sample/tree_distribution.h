#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/exact/tree/elimination.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/sample/sample.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace oa::solve {

/// The distribution exp(-f / T) over a tree decomposition,
/// by dynamic programming with sums instead of minima.
class TreeDistribution {
 public:
  /// Returns nothing if tables would have more than `most_entries` numbers,
  /// or if stopped.  The digits of each number share a table.
  [[nodiscard]] static std::optional<TreeDistribution> make(
      const qubo::Quadratic& f,
      std::vector<NumberShares> numbers,
      double temperature,
      double most_entries,
      const Stop& stop);

  /// Draws an independent state.
  [[nodiscard]] std::vector<std::uint8_t> draw(Rng& rng) const;

  [[nodiscard]] Marginals marginals() const;

 private:
  TreeDistribution(Elimination order, std::vector<NumberShares> numbers);
  /// Sums over all variables.  Returns false if stopped.
  bool sum(const qubo::Quadratic& f, double temperature, const Stop& stop);

  /// Adds the shares of the digits of `number`, whose first digit is step k's variable.
  /// The step's `others` have the given probabilities.
  void add_shares(std::size_t k,
                  const std::vector<double>& probabilities,
                  NumberShares& number) const;

  Elimination order_;
  std::vector<NumberShares> numbers_;         // without shares
  std::vector<std::vector<std::size_t>> at_;  // numbers that start at each step
  /// The probability of 1 for each step and each value of its `others`.
  std::vector<std::vector<double>> ones_;
};

}  // namespace oa::solve
