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

/// Lower bounds of s'Ms / 2 over spins s, where M is symmetric with a zero diagonal:
/// the semidefinite relaxation with triangle and pentagonal inequalities,
/// by a bundle method (Rendl, Rinaldi and Wiegele, "Solving Max-Cut to optimality by
/// intersecting semidefinite and polyhedral relaxations", 2010).
///
/// Repeatedly solves the relaxation without inequalities, in low rank, by coordinate
/// descent (the mixing method, bound.cc) from the last solution.  Errors do not matter:
/// a Cholesky factor for the final multipliers proves the bound, rounding included.
class CliqueBound {
 public:
  /// The state at the start or end of a computation.
  struct State {
    std::vector<SpinVector> vectors;  ///< empty: random ones
    std::vector<OddClique> cliques;
    double step = 0.0;  ///< of the multipliers; 0: chosen automatically
  };

  struct Effort {
    /// Ends if the bound, at its current pace,
    /// would need more than this many searches for violated cliques to reach the goal.
    double patience;
    int passes;     ///< of coordinate descent per step of the multipliers
    int triangles;  ///< maximum that a search adds, per spin
  };
  /// The efforts for nodes to branch on, and for a root without branching.
  static constexpr Effort kBranching{5.0, 25, 2};
  static constexpr Effort kAlone{400.0, 15, 8};

  /// `m` is (n,n), row-major.  Takes the memory of about 20 such matrices.
  CliqueBound(int n, std::span<const double> m, const Effort& effort, State state);
  ~CliqueBound();

  /// Improves the bound until it exceeds `wanted` or probably never will,
  /// or until the remaining time is needed for the safe bound.  Returns the bound.
  [[nodiscard]] double improve(double wanted, const Stop& stop);

  /// Returns the start state for the problem with spin i = `sign` * last spin.
  [[nodiscard]] static State contracted(const State& from, int n, int i, double sign);

  /// The approximate product s_i s_k in the final relaxation.
  [[nodiscard]] double product(int i, int k) const;

  /// Rounds by a random plane through the origin: spins on one side are 1, else 0.
  [[nodiscard]] std::vector<std::uint8_t> cut(Rng& rng) const;

  [[nodiscard]] State take_state();

 private:
  class Bundle;
  std::unique_ptr<Bundle> bundle_;
};

}  // namespace oa::solve
