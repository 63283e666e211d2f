#pragma once

#include "oa/num/matrix.h"

#include <cstdint>
#include <vector>

namespace oa::num {

/// What is added to 1/2 x'Jx + h'x: a constraint or a penalty.
enum class Constraint : std::uint8_t {
  Box,       ///< x in [0,1]^m
  Absolute,  ///< penalty * |x|_1, x of any sign: the LASSO
};

struct AdmmSettings {
  int iterations = 50;
  float rho = 0.3F;  ///< times |J|_F / sqrt(m)
  float relaxation = 1.6F;
  Constraint constraint = Constraint::Box;
  float penalty = 0.0F;
};

/// Alternating direction method of multipliers for many right-hand sides with one
/// matrix: one inverse, then a product and a projection per iteration for all rows at
/// once (Boyd et al., Foundations and Trends in Machine Learning 3, 2011; relaxation as
/// in OSQP).  A fixed number of iterations, so that it can be differentiated.
class Admm {
 public:
  /// For n right-hand sides of m numbers.
  Admm(int n, int m, Arena& arena);

  /// x (n,m) from rows of h (n,m); g = Jx + h.
  void solve(ConstView j, ConstView h, const AdmmSettings& settings, View x, View g);

  /// The derivative of the iterations themselves, rho held fixed: dh (n,m) and dj (m,m,
  /// not symmetrised) from dx.  Runs them again to recover their states.
  void backward(
      ConstView h, const AdmmSettings& settings, ConstView dx, View dh, View dj);

 private:
  void iterate(const AdmmSettings& settings, std::vector<Matrix>* states);

  View inverse_;  // K = (J + rho I)^-1
  View fixed_;    // -hK
  View state_;    // t = z + u: z is its projection
  View mirror_;   // z - u
  View step_;
  float rho_ = 0.0F;
};

/// inverse = (a + shift I)^-1 for symmetric positive definite a + shift I.  O(m^3).
void invert_spd(ConstView a, float shift, View inverse);

}  // namespace oa::num
