#pragma once

#include "oa/qubo/matrix.h"
#include "oa/solve/method/result.h"
#include "oa/solve/method/settings.h"
#include "oa/solve/method/stop.h"

#include <memory>
#include <span>

namespace oa::solve {

/// Branch and bound for  min E(k) = 1/2 k'Jk + h'k  over whole k in {0..levels-1}^n,
/// with proof: attention's problems when coefficients have several levels.
///
/// J + D is positive semidefinite for a diagonal D (see Convex), and for whole k
///   E(k) = f(k) + sum of 1/2 D_i k_i (N - k_i),   f(k) = 1/2 k'(J + D)k + (h - N
///   d/2)'k,
/// N being the top level, so that f never lies above E.  At the minimum y of f over the
/// box, with gradient g,
///   f(k) = f(y) + g'(k - y) + 1/2 |R (k - y)|^2,   R'R = J + D,
/// in which no term of g'(k - y) is negative.  Levels whose term alone is too much are
/// excluded; the others are searched depth first from the last row of R to the first,
/// the nearest level first, as in sphere decoding (C. P. Schnorr and M. Euchner,
/// Mathematical Programming 66, 1994).
///
/// Proof: as of Exact, bounds are computed in double, nothing is dropped whose bound is
/// not higher by more than all rounding errors together, and energies are exact where
/// the numbers of J and h times levels are.
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

  /// ProvedOptimal, or Stopped with what was found and a bound that holds; x are
  /// levels. If h has fewer numbers than the matrix has rows, this is the problem of
  /// its leading block.  A node is a level of a coefficient that is tried.
  [[nodiscard]] Result solve(std::span<const double> h, const Stop& stop);

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace oa::solve
