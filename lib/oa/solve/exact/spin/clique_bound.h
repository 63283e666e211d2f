#pragma once

#include "oa/base/rng.h"
#include "oa/solve/exact/spin/clique_kernels.h"
#include "oa/solve/exact/spin/odd_clique.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace oa::solve {

/// Lower bounds of  s'Ms / 2  over spins for a symmetric M with a zero diagonal: those
/// of the semidefinite relaxation with triangle and pentagonal inequalities, approached
/// by a bundle method (Rendl, Rinaldi and Wiegele, "Solving Max-Cut to optimality by
/// intersecting semidefinite and polyhedral relaxations", 2010).
///
/// The method solves the relaxation without inequalities many times: in low rank, by
/// coordinate descent (the mixing method, bound.cc) from the last solution.  Errors of
/// these solutions do not matter: the final bound is computed from its multipliers with
/// a Cholesky factor, and allows for all rounding.
class CliqueBound {
 public:
  /// The start or the end of the computation of a bound.
  struct State {
    std::vector<SpinVector> vectors;  ///< empty: random ones
    std::vector<OddClique> cliques;
    double step = 0.0;  ///< of the multipliers; 0: chosen
  };

  struct Effort {
    /// The number of searches for violated cliques after which the bound, at its
    /// present pace, must have reached the goal.
    double patience;
    int passes;     ///< of coordinate descent, at each step of the multipliers
    int triangles;  ///< for each spin; the most that a search adds
  };
  /// For nodes that are branched, and for a root without branching.
  static constexpr Effort kBranching{5.0, 25, 2};
  static constexpr Effort kAlone{400.0, 15, 8};

  /// `m` is (n,n), row-major.  O(n^2) memory, about 20 matrices.
  CliqueBound(int n, std::span<const double> m, const Effort& effort, State state);
  ~CliqueBound();

  /// Improves the bound until it exceeds `wanted`, or that is unlikely, or the
  /// remaining time is needed for the exact computation.  Returns the bound.
  [[nodiscard]] double improve(double wanted, const Stop& stop);

  /// The start for the problem in which spin i is `sign` times the last spin.
  [[nodiscard]] static State contracted(const State& from, int n, int i, double sign);

  /// The approximate product s_i s_k in the relaxation, at the end.
  [[nodiscard]] double product(int i, int k) const;

  /// Rounds by a random plane through the origin: spins on one side are 1, others 0.
  [[nodiscard]] std::vector<std::uint8_t> cut(Rng& rng) const;

  [[nodiscard]] State take_state();

 private:
  class Bundle;
  std::unique_ptr<Bundle> bundle_;
};

}  // namespace oa::solve
