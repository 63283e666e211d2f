#pragma once

#include "oa/qubo/matrix.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/result.h"
#include "oa/solve/method/settings.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace oa::solve {

enum class Decision : std::uint8_t { Zero, One, Free };

/// Branch and bound for  min E(x) = 1/2 x'Jx + h'x over {0,1}^n,  with proof.
///
/// J is made convex by a diagonal shift, which for 0/1 vectors moves into h.  A node is
/// a box with a point y and its gradient g, handed from parent to child; a few rounds
/// of coordinate descent improve y, every y yields a bound (convergence is not needed),
/// and variables whose other value would lift the bound above the best energy known are
/// fixed.  Ten free variables are enumerated.  In attention problems that happens
/// mostly at the root.
///
/// Proof: bounds are computed in double; a node is dropped only if its bound exceeds
/// what is wanted by more than all rounding errors together.  Energies are exact
/// (qubo::Energies), so ties are ties.
///
/// Memory is kept from problem to problem; one object per thread.
class Exact {
 public:
  /// Keeps a reference to `j`.  O(n^2 rank), or O(n^3) if J is indefinite; O(n^2), for
  /// weaker bounds, once `stop` says so.
  Exact(const qubo::Matrix& j, const Settings& settings, const Stop& stop = {});
  Exact(Exact&&) noexcept;
  Exact& operator=(Exact&&) noexcept;
  ~Exact();

  /// ProvedOptimal, or Stopped with what was found and a bound that holds.
  /// If h has fewer numbers than the matrix has rows, this is the problem of its
  /// leading block, which takes nothing to prepare.
  /// `known`, if not empty, is an x to begin with.  `rests` are what the coefficients
  /// as doubles leave over (but no constant): energies have them, bounds allow for
  /// them.
  [[nodiscard]] Result solve(std::span<const double> h,
                             const Stop& stop,
                             std::span<const std::uint8_t> known = {},
                             std::span<const qubo::Term> rests = {});

  /// Variables that have one value in every x with E(x) <= energy, as far as the bound
  /// at the root tells, without branching.
  [[nodiscard]] std::vector<Decision> decisions(std::span<const double> h,
                                                double energy);

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace oa::solve
