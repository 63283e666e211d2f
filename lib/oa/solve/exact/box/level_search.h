#pragma once

#include "oa/qubo/matrix.h"
#include "oa/solve/method/result.h"
#include "oa/solve/method/settings.h"
#include "oa/solve/method/stop.h"

#include <memory>
#include <span>

namespace oa::solve {

/// Branch and bound for min E(k) = 1/2 k'Jk + h'k over k in {0..levels-1}^n,
/// with proof: attention problems with several levels.
///
/// J + D is positive semidefinite for a diagonal D (see Convex).  With N the top level,
///   E(k) = f(k) + sum of 1/2 D_i k_i (N - k_i),
///   f(k) = 1/2 k'(J + D)k + (h - N d/2)'k,
/// so f <= E.  At the minimum y of f over the box, with gradient g,
///   f(k) = f(y) + g'(k - y) + 1/2 |R (k - y)|^2,   R'R = J + D,
/// and no term of g'(k - y) is negative.  Levels whose term is too large are excluded.
/// Depth-first search from the last row of R to the first tries the nearest level
/// first, as in sphere decoding (Schnorr and Euchner, Math. Programming 66, 1994).
///
/// Proof: as in Exact, a node is dropped only if its bound exceeds wanted energies by
/// more than all rounding errors together.
/// Energies are exact if J times levels and h times levels are exact.
class LevelSearch {
 public:
  /// Borrows `j`.  O(n^2 rank).
  LevelSearch(const qubo::Matrix& j,
              int levels,
              const Settings& settings,
              const Stop& stop = {});
  LevelSearch(LevelSearch&&) noexcept;
  LevelSearch& operator=(LevelSearch&&) noexcept;
  ~LevelSearch();

  /// Returns ProvedOptimal, or Stopped with the best solution and a valid bound; x are
  /// levels.  An h shorter than the matrix means the problem of the leading block.
  /// A node is one level of one coefficient.
  [[nodiscard]] Result solve(std::span<const double> h, const Stop& stop);

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace oa::solve
