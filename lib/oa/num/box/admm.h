#pragma once

#include "oa/num/matrix.h"

#include <cstdint>
#include <vector>

namespace oa::num {

/// The term added to 1/2 x'Jx + h'x: a constraint or a penalty.
enum class Constraint : std::uint8_t {
  Box,       ///< x in [0,1]^m
  Absolute,  ///< penalty * |x|_1, x of any sign: the LASSO
};

struct AdmmSettings {
  int iterations = 50;
  float rho = 0.3F;  ///< in units of |J|_F / sqrt(m)
  float relaxation = 1.6F;
  Constraint constraint = Constraint::Box;
  float penalty = 0.0F;
};

/// Alternating direction method of multipliers for many right-hand sides and one
/// matrix: an inverse, then a product and a projection for all rows in each iteration
/// (Boyd et al., Foundations and Trends in Machine Learning 3, 2011; relaxation as in
/// OSQP).  The number of iterations is fixed, so that the result can be differentiated.
class Admm {
 public:
  /// Reserves memory for n right-hand sides of m numbers.
  Admm(int n, int m, Arena& arena);

  /// Sets x (n,m) to the minima for the rows of h (n,m), and g = Jx + h.
  void solve(ConstView j, ConstView h, const AdmmSettings& settings, View x, View g);

  /// Differentiates the iterations with fixed rho: computes dh (n,m) and dj (m,m,
  /// not symmetrised) from dx.  Repeats the iterations to recover their states.
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

/// Admm for J = 2 scale^2 V V' with V (m,d), for a few right-hand sides at a time,
/// without computing J.  With W = sqrt(2) scale V,
///   (J + rho I)^-1 b = (b - W (rho I + W'W)^-1 W'b) / rho.
/// Costs 2md^2 FLOPs and a d x d inverse once,
/// then 4md FLOPs an iteration and right-hand side, as softmax attention does.
/// Memory: 4 (4 rows m + 2 m d + ...) bytes.
class LowRankAdmm {
 public:
  /// Reserves memory for at most `rows` right-hand sides at a time.
  LowRankAdmm(int rows, int m, int d, Arena& arena);

  void prepare(ConstView v, float scale, const AdmmSettings& settings);
  /// Sets x (n,m) for the rows of h (n,m), n at most `rows`.  A warm start begins with
  /// the final state of the previous call, which helps if successive rows are similar.
  void solve(ConstView h, View x, bool warm = false) const;

 private:
  /// Sets to = b - b W (rho I + W'W)^-1 W'.
  void reduce(ConstView b, View to) const;

  AdmmSettings settings_;
  float rho_ = 0.0F;
  View w_;
  View transposed_;  // W'
  View gram_;        // W'W
  View inverse_;     // (rho I + W'W)^-1
  View along_;       // b W
  View inner_;
  View fixed_;  // fixed_ and below: as in Admm
  View state_;
  View mirror_;
  View step_;
};

/// inverse = (a + shift I)^-1 for symmetric positive definite a + shift I.  O(m^3).
void invert_spd(ConstView a, float shift, View inverse);

}  // namespace oa::num
