#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::plot {

/// How often each level of the machine's integers occurs in submitted matrices.  The
/// machine gets the Ising matrix of n spins and one spin for the fields.
struct Levels {
  static constexpr int kHighest = 127;  ///< of 8 bits

  std::int64_t tasks = 0;
  int spins_max = 0;
  /// [k]: the number of couplings (fields) with the level k - kHighest.
  std::vector<std::int64_t> couplings = std::vector<std::int64_t>(2 * kHighest + 1);
  std::vector<std::int64_t> fields = std::vector<std::int64_t>(2 * kHighest + 1);

  /// Adds the matrix of one task, (n,n) row by row.  It is either symmetric, the Ising
  /// matrix with the spin of the fields last, or upper-triangular, the QUBO made from
  /// it:
  ///
  ///   Q_ij = -8 A_ij (i < j),   Q_ii = 4 sum_j A_ij - 4 F_i
  ///
  /// for couplings A and levels F of the fields.  Returns false and adds nothing if it
  /// is neither, or has other values than 8-bit levels.
  [[nodiscard]] bool add_matrix(std::span<const std::int64_t> matrix, int n);
};

/// The largest absolute level and the number of different levels in use.
struct LevelUse {
  int largest = 0;
  int distinct = 0;
  std::int64_t zeros = 0;
  std::int64_t total = 0;
};
[[nodiscard]] LevelUse level_use(std::span<const std::int64_t> counts);

/// Two histograms: of the couplings and of the fields.
[[nodiscard]] Scene draw(const Levels& levels, const Look& look = {});

}  // namespace oa::plot
