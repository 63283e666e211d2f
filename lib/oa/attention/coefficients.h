#pragma once

#include "oa/model/config.h"
#include "oa/num/admm.h"
#include "oa/num/box_qp.h"
#include "oa/num/scaled_cg.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace oa::model {

/// How gradients pass from coefficients to the problem.
enum class Backward : std::uint8_t {
  /// Those of the coefficients x = sigmoid(-(Jx + h)/T), at the solution of the box QP:
  /// (J + diag(T/s)) w = dx with s = sigmoid'; dh = -w, dJ = -sym(w x').  Coordinates
  /// at a bound that could easily leave it count too.  Behind a threshold it is a
  /// straight-through estimate.
  Smoothed,
  /// Exact for the box QP: J_FF w_F = dx_F over the coordinates F between bounds.
  Implicit,
  /// Through the iterations of ADMM, as automatic differentiation would; for
  /// comparison.
  Unrolled,
  /// Nothing passes, as in the reference's binarised model.
  None,
};

/// The exact minimisers over {0,1}^m for the rows of h, instead of a threshold.  x
/// holds the thresholded box QP and receives the answer.
using BinarySolver =
    std::function<void(num::ConstView j, num::ConstView h, num::View x)>;

struct SolverSettings {
  float tolerance = 1e-7F;  ///< of the box QP, see num::DescentSettings
  Backward backward = Backward::Smoothed;
  float temperature = 0.05F;  ///< T
  int admm_iterations = 200;  ///< Unrolled, and before the exact steps of Lasso
  BinarySolver binary;        ///< if empty: threshold at 1/2
};

/// Coefficients of the n problems of one image as a function of J and h, with gradient.
class CoefficientLayer {
 public:
  CoefficientLayer(const Config& config, const SolverSettings& settings);

  void forward(num::ConstView j, num::ConstView h, num::View x);

  /// dh (n,m) and the symmetric dj (m,m) from dx (n,m), for the problems of the last
  /// forward.
  void backward(num::ConstView j,
                num::ConstView h,
                num::ConstView dx,
                num::View dh,
                num::View dj);

  /// Before the threshold.
  [[nodiscard]] num::ConstView relaxed() const { return relaxed_; }
  /// The largest violation of optimality in the last forward; see box_qp_residual().
  [[nodiscard]] float residual(num::ConstView j) const;

 private:
  void free_set(num::ConstView j, num::ConstView dx, num::View w) const;

  Coefficients kind_;
  SolverSettings settings_;
  num::AdmmSettings admm_settings_;
  num::Admm admm_;
  num::ScaledCg cg_;
  num::Matrix relaxed_;
  num::Matrix gradient_;  // J x + h at the relaxed solution
  num::Matrix slope_;
  num::Matrix turned_;
};

/// a_i = x_i normalised: the weights of values.  `sums` (n) is kept for the way back.
void normalize(Normalization how, num::ConstView x, std::span<float> sums, num::View a);

/// dx from da.  dx may be da.
void normalize_backward(Normalization how,
                        num::ConstView x,
                        num::ConstView a,
                        std::span<const float> sums,
                        num::ConstView da,
                        num::View dx);

}  // namespace oa::model
