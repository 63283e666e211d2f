#pragma once

#include "oa/qubo/matrix.h"
#include "oa/solve/method/result.h"
#include "oa/solve/method/settings.h"
#include "oa/solve/method/stop.h"

#include <memory>
#include <span>

namespace oa::solve {

/// Branch and bound for  min E(k) = 1/2 k'Jk + h'k  over whole k in {0..levels-1}^n,
/// with proof: attention problems with several levels.
///
/// J + D is positive semidefinite for a diagonal D (see Convex).  With N the top level,
///   E(k) = f(k) + sum of 1/2 D_i k_i (N - k_i),
///   f(k) = 1/2 k'(J + D)k + (h - N d/2)'k,
/// so that f <= E.  At the minimum y of f over the box, with gradient g,
///   f(k) = f(y) + g'(k - y) + 1/2 |R (k - y)|^2,   R'R = J + D,
/// and no term of g'(k - y) is negative.  Levels whose own term is too large are
/// excluded.  The others are searched depth first from the last row of R to the first,
/// the nearest level first, as in sphere decoding (C.  P.  Schnorr and M.  Euchner,
/// Mathematical Programming 66, 1994).
///
/// Proof: as in Exact, bounds are computed in double, and a node is dropped only if its
/// bound is higher by more than all rounding errors together.  Energies are exact if J
/// and h times levels are.
class LevelSearch {
 public:
  /// Keeps a reference to `j`.  O(n^2 rank).
  LevelSearch(const qubo::Matrix& j,
              int levels,
              const Settings& settings,
              const Stop& stop = {});
  LevelSearch(LevelSearch&&) noexcept;
  LevelSearch& operator=(LevelSearch&&) noexcept;
  ~LevelSearch();

  /// ProvedOptimal, or Stopped with the best found and a valid bound; x are levels.  If
  /// h is shorter than the matrix, solves the problem of its leading block.  A node is
  /// one level of one coefficient.
  [[nodiscard]] Result solve(std::span<const double> h, const Stop& stop);

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace oa::solve
