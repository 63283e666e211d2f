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

/// Lower bounds of  s'Ms / 2  over spins, M symmetric with a diagonal of zeros: those
/// of the semidefinite relaxation with triangle and pentagonal inequalities, as near as
/// a bundle method comes to it (Rendl, Rinaldi and Wiegele, "Solving Max-Cut to
/// optimality by intersecting semidefinite and polyhedral relaxations", 2010).
///
/// The relaxation without these, which the method asks for again and again, is
/// solved in low rank by coordinate descent (the mixing method, bound.cc) from
/// where it was last.  What it finds needs not be right: a bound is computed from its
/// numbers alone, with a Cholesky factor and all rounding allowed for.
class CliqueBound {
 public:
  /// Where a bound begins, and where it came to.
  struct State {
    std::vector<SpinVector> vectors;  ///< empty: random ones
    std::vector<OddClique> cliques;
    double step = 0.0;  ///< of the multipliers; 0 chooses
  };

  /// How a bound is worked on.
  struct Effort {
    /// For how many looks for violated cliques more it may have to rise as it does, so
    /// that there is hope.
    double patience;
    int passes;     ///< of coordinate descent, at each step of the multipliers
    int triangles;  ///< for each spin, that a look takes in at most
  };
  /// Where branching comes next, and where nothing does.
  static constexpr Effort kBranching{5.0, 25, 2};
  static constexpr Effort kAlone{400.0, 15, 8};

  /// `m` has n rows of n.  O(n^2) memory, some twenty matrices.
  CliqueBound(int n, std::span<const double> m, const Effort& effort, State state);
  ~CliqueBound();

  /// A bound: until it is above `wanted`, or there is little hope of that, or no more
  /// time is left than it takes to compute what has been found.
  [[nodiscard]] double improve(double wanted, const Stop& stop);

  /// Where to begin once spin i is `sign` times the last one, and no longer there.
  [[nodiscard]] static State contracted(const State& from, int n, int i, double sign);

  /// About the products s_i s_k of the relaxation, at the end.
  [[nodiscard]] double product(int i, int k) const;

  /// Spins whose vectors are on one side of a plane through the origin are 1, others 0.
  [[nodiscard]] std::vector<std::uint8_t> cut(Rng& rng) const;

  [[nodiscard]] State take_state();

 private:
  class Bundle;
  std::unique_ptr<Bundle> bundle_;
};

}  // namespace oa::solve
