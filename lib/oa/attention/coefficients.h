#pragma once

#include "oa/attention/resources.h"
#include "oa/attention/site.h"
#include "oa/num/admm.h"
#include "oa/num/box_qp.h"
#include "oa/num/scaled_cg.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace oa::attention {

/// Coefficients of the n problems of one sequence as a function of J and h, with
/// gradient.
class CoefficientLayer {
 public:
  CoefficientLayer(const Site& site, int tokens, const Resources& resources);

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
  std::optional<num::Admm> admm_;    // where it finds the coefficients
  std::optional<num::ScaledCg> cg_;  // where gradients are smoothed
  num::View relaxed_;
  num::View gradient_;  // J x + h at the relaxed solution
  num::View slope_;
  num::View turned_;
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

}  // namespace oa::attention
