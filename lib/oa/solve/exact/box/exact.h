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
/// A diagonal shift makes J convex; on 0/1 vectors, the shift moves into h.  A node is
/// a box with a point y and a gradient g, which children inherit.  Passes of coordinate
/// descent improve y; any y yields a bound, even before convergence.  A variable is
/// fixed if its other value would lift the bound above the best energy.  The last ten
/// free variables are enumerated; attention problems usually reach this at the root.
///
/// Proof: bounds are doubles; a node is dropped only if its bound exceeds wanted
/// energies by more than all rounding errors together.
/// Energies are exact (qubo::Energies), so ties are recognised.
///
/// Reuses memory from problem to problem; use one object per thread.
class Exact {
 public:
  /// Borrows `j`.  O(n^2 rank), or O(n^3) if J is indefinite.
  /// If stopped, O(n^2), with weaker bounds.
  Exact(const qubo::Matrix& j, const Settings& settings, const Stop& stop = {});
  Exact(Exact&&) noexcept;
  Exact& operator=(Exact&&) noexcept;
  ~Exact();

  /// Returns ProvedOptimal, or Stopped with the best solution and a valid bound.
  /// An h shorter than the matrix means the problem of the leading block, without
  /// further preparation.  Starts at `known` unless empty.  `rests` are remainders of
  /// coefficients, without the constant, which energies include and bounds allow for.
  [[nodiscard]] Result solve(std::span<const double> h,
                             const Stop& stop,
                             std::span<const std::uint8_t> known = {},
                             std::span<const qubo::Term> rests = {});

  /// Decides variables that have only one value in all x with E(x) <= energy,
  /// as far as the root bound proves this.
  [[nodiscard]] std::vector<Decision> decisions(std::span<const double> h,
                                                double energy);

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace oa::solve
