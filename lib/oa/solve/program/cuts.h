#pragma once

#include "oa/qubo/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Finds cuts:
/// rows that all feasible 0/1 vectors satisfy and a fractional point violates.
///
/// Covers: if the weights of some variables exceed a limit in total, not all of them
/// are 1.  Lifting adds more variables, each counted by how many of the largest cover
/// weights its own weight replaces (Balas, "Facets of the knapsack polytope", 1975).
///
/// Cliques: among pairwise exclusive literals (x or 1 - x), at most one is 1.
/// Pairs come from all rows.
class Cuts {
 public:
  Cuts(std::span<const qubo::ProgramRow> rows, int n);

  /// Returns the most violated cuts, at most `most`, sorted.
  [[nodiscard]] std::vector<qubo::ProgramRow> find(std::span<const double> x,
                                                   std::size_t most) const;

 private:
  /// Literal 2i is variable i, 2i + 1 its complement.
  using Literal = std::int32_t;

  /// Literals with positive, decreasing weights, and a limit of the sum of weights.
  struct Knapsack {
    std::vector<std::pair<std::int64_t, Literal>> items;
    std::int64_t limit = 0;
  };
  struct Cut {
    double violation;
    qubo::ProgramRow row;
  };

  void add_knapsack(const qubo::ProgramRow& row, std::int64_t sign, std::int64_t limit);
  void add_conflicts(const Knapsack& k);
  void find_cover(const Knapsack& k,
                  std::span<const double> values,
                  std::vector<Cut>& found) const;
  void find_cliques(std::span<const double> values, std::vector<Cut>& found) const;
  [[nodiscard]] bool conflict(Literal a, Literal b) const;

  int n_;
  std::vector<Knapsack> knapsacks_;  // those with different weights
  std::size_t words_ = 0;
  std::vector<std::uint64_t> conflicts_;  // a bit row for each literal; may be empty
};

}  // namespace oa::solve
