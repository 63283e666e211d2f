#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::plot {

/// Counts of each integer level of the machine in submitted matrices.
/// An Ising matrix of n spins has one more spin for the fields.
struct Levels {
  static constexpr int kHighest = 127;  ///< of 8 bits with sign

  std::int64_t tasks = 0;
  int spins_max = 0;
  /// [k] is the number of couplings (fields) of level k - kHighest.
  std::vector<std::int64_t> couplings = std::vector<std::int64_t>(2 * kHighest + 1);
  std::vector<std::int64_t> fields = std::vector<std::int64_t>(2 * kHighest + 1);

  /// Adds a task's matrix, (n,n) row by row.  A symmetric matrix is an Ising matrix
  /// whose last spin is that of the fields; an upper triangular matrix is a QUBO:
  ///
  ///   Q_ij = -8 A_ij (i < j),   Q_ii = 4 sum_j A_ij - 4 F_i
  ///
  /// for couplings A and fields F.  Returns false and adds nothing if the matrix has
  /// neither form, or has values that are no 8-bit levels.
  [[nodiscard]] bool add_matrix(std::span<const std::int64_t> matrix, int n);
};

/// The largest absolute level, and the number of distinct levels in use.
struct LevelUse {
  int largest = 0;
  int distinct = 0;
  std::int64_t zeros = 0;
  std::int64_t total = 0;
};
[[nodiscard]] LevelUse level_use(std::span<const std::int64_t> counts);

/// Draws two histograms: of couplings and of fields.
[[nodiscard]] Scene draw(const Levels& levels, const Look& look = {});

}  // namespace oa::plot
