#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/exact/tree/elimination.h"
#include "oa/solve/method/stop.h"

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
  [[nodiscard]] static std::optional<TreeDistribution> make(const qubo::Quadratic& f,
                                                            double temperature,
                                                            double most_entries,
                                                            const Stop& stop);

  /// One state; independent of others.
  [[nodiscard]] std::vector<std::uint8_t> draw(Rng& rng) const;

  /// The probability of 1 for each variable.
  [[nodiscard]] std::vector<double> marginals() const;

 private:
  /// An earlier step that depends on the variable of this one, which is its first
  /// other.
  struct Child {
    std::size_t step;
    std::vector<int> bits;  // places of its further others among those of this step

    [[nodiscard]] std::size_t entry(std::size_t above, std::size_t value) const;
  };

  explicit TreeDistribution(Elimination order);
  /// Sums out all variables.  Returns false if stopped.
  bool sum(const qubo::Quadratic& f, double temperature, const Stop& stop);

  Elimination order_;
  std::vector<std::vector<Child>> children_;
  /// For each step and each value of its others: the probability of 1.
  std::vector<std::vector<double>> ones_;
};

}  // namespace oa::solve
