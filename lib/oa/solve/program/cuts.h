#pragma once

#include "oa/qubo/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Finds rows that all 0/1 solutions of a program satisfy and that a point between 0
/// and 1 violates.
///
/// Covers: variables whose weights together exceed a limit are not all 1.  Others join
/// with the number of the cover's largest weights that theirs replaces (Balas,
/// "Facets of the knapsack polytope", 1975).
///
/// Cliques: of variables and complements (1 - x) that exclude each other in pairs, one
/// is 1.  Pairs come from all rows.
class Cuts {
 public:
  Cuts(std::span<const qubo::ProgramRow> rows, int n);

  /// The most violated cuts first, at most `most` of them.
  [[nodiscard]] std::vector<qubo::ProgramRow> find(std::span<const double> x,
                                                   std::size_t most) const;

 private:
  /// A variable i, or its complement: 2i or 2i + 1.
  using Literal = std::int32_t;

  /// Literals with positive, falling weights whose sum is at most a limit.
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
  std::vector<Knapsack> knapsacks_;  // with different weights
  std::size_t words_ = 0;
  std::vector<std::uint64_t> conflicts_;  // a row of bits for each literal; or empty
};

}  // namespace oa::solve
