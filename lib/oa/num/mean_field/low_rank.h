#pragma once

#include "oa/num/gram.h"

#include <array>
#include <span>

namespace oa::num {

/// Solves a row of MeanField by the factors of J = scale V V' (Gram::factor).
/// Finds u = V'x, the minimum of the convex function
///   scale/2 u'u + T sum_k log(1 + exp(-(h_k + scale v_k'u)/T)),
/// where x = sigmoid(-(h + scale V u)/T), by Newton's method:
///   (I + scale V'SV) du = V'x - u,  S = x(1-x)/T.
/// Bisection shortens a step that leaves more than half of the slope.
class LowRankMeanField {
 public:
  static constexpr int kMaxColumns = 64;

  [[nodiscard]] static bool fits(const Gram& j) {
    return j.factor.cols > 0 && j.factor.cols <= kMaxColumns;
  }

  /// Reserves memory for rows of at most m coefficients.
  LowRankMeanField(int m, Arena& arena);

  /// Computes x and g of one row, as MeanField::solve() does.  `stiffest` is max J_kk.
  void solve(const Gram& j,
             ConstView h,
             float temperature,
             float stiffest,
             float tolerance,
             View x,
             View g);

 private:
  using Columns = std::array<double, kMaxColumns>;

  /// Computes x and g at u, and the gradient u - V'x.
  void look(const Gram& j, ConstView h, float temperature, View x, View g);
  void find_step(const Gram& j);
  void move(double length, std::size_t columns);

  View root_;            // sqrt(S)
  std::span<int> keys_;  // keys with large S
  View weighed_;         // V'SV
  std::span<double> system_;
  View u_;
  Columns left_{};
  Columns step_{};
};

}  // namespace oa::num
