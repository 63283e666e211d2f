#pragma once

#include "oa/num/gram.h"

#include <array>
#include <span>

namespace oa::num {

/// A row of MeanField by the factors of J = scale V V' (Gram::factor).  Finds u = V'x,
/// with one number for each column of V: the minimum of the convex
///   scale/2 u'u + T sum_k log(1 + exp(-(h_k + scale v_k'u)/T)),
/// where x = sigmoid(-(h + scale V u)/T).  Newton's method with systems of the same
/// size:
///   (I + scale V'SV) du = V'x - u,  S = x(1-x)/T.
/// Bisection shortens a step after which the slope is more than half of that before.
class LowRankMeanField {
 public:
  static constexpr int kMaxColumns = 64;

  [[nodiscard]] static bool fits(const Gram& j) {
    return j.factor.cols > 0 && j.factor.cols <= kMaxColumns;
  }

  /// For rows of at most m coefficients.
  LowRankMeanField(int m, Arena& arena);

  /// Computes x and g of one row, as MeanField::solve().  `stiffest` is the largest
  /// J_kk.
  void solve(const Gram& j,
             ConstView h,
             float temperature,
             float stiffest,
             float tolerance,
             View x,
             View g);

 private:
  using Columns = std::array<double, kMaxColumns>;

  /// x and g at u, and the gradient: u - V'x.
  void look(const Gram& j, ConstView h, float temperature, View x, View g);
  void find_step(const Gram& j);
  void move(double length, std::size_t columns);

  View root_;            // sqrt(S)
  std::span<int> keys_;  // of large S
  View weighed_;         // V'SV
  std::span<double> system_;
  View u_;
  Columns left_{};
  Columns step_{};
};

}  // namespace oa::num
