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

/// The distribution exp(-f / T) over a tree decomposition: sums in place of the minima
/// of dynamic programming.
class TreeDistribution {
 public:
  /// Nothing if the tables would have more than `most_entries` numbers, or if stopped.
  /// The digits of each of `numbers` are together in a table.
  [[nodiscard]] static std::optional<TreeDistribution> make(
      const qubo::Quadratic& f,
      std::vector<NumberShares> numbers,
      double temperature,
      double most_entries,
      const Stop& stop);

  /// One state; independent of others.
  [[nodiscard]] std::vector<std::uint8_t> draw(Rng& rng) const;

  [[nodiscard]] Marginals marginals() const;

 private:
  /// An earlier step that depends on the variable of this one, which is its first
  /// other.
  struct Child {
    std::size_t step;
    std::vector<int> bits;  // places of its further others among those of this step

    [[nodiscard]] std::size_t entry(std::size_t above, std::size_t value) const;
  };

  TreeDistribution(Elimination order, std::vector<NumberShares> numbers);
  /// Sums out all variables.  Returns false if stopped.
  bool sum(const qubo::Quadratic& f, double temperature, const Stop& stop);

  /// The shares of the digits of `number`, the first of which is the variable of step
  /// `k`, whose others have values with these probabilities.
  void add_shares(std::size_t k,
                  const std::vector<double>& probabilities,
                  NumberShares& number) const;

  Elimination order_;
  std::vector<NumberShares> numbers_;         // without shares
  std::vector<std::vector<std::size_t>> at_;  // the numbers that begin at each step
  std::vector<std::vector<Child>> children_;
  /// For each step and each value of its others: the probability of 1.
  std::vector<std::vector<double>> ones_;
};

}  // namespace oa::solve
