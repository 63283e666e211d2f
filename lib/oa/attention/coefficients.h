#pragma once

#include "oa/attention/resources.h"
#include "oa/attention/site.h"
#include "oa/num/box/admm.h"
#include "oa/num/box/qp.h"
#include "oa/num/gram.h"
#include "oa/num/mean_field/mean_field.h"
#include "oa/num/mean_field/scaled_cg.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace oa::attention {

/// The linear term h of an excluded coefficient: so large that the coefficient stays 0.
inline constexpr float kExcluded = 1e9F;

/// Computes the coefficients of the n problems of one sequence from J and h,
/// and their gradient.
///
/// A layer that learns in stages starts with the mean field, whose gradient reaches
/// every key.  Later stages minimise over binary or level coefficients,
/// or round the minimum of the box QP.  Smoothed gradients are those of the mean field.
class CoefficientLayer {
 public:
  /// `stage` is the first stage of a layer that learns in stages.
  CoefficientLayer(const Site& site,
                   int tokens,
                   const Resources& resources,
                   std::optional<Stage> stage = std::nullopt);

  /// Sets the stage of a layer with stages; others have none.
  void set_stage(const Stage& stage);
  /// Sets the temperature of marginals; of others nothing.
  void set_temperature(float temperature);

  /// Returns the coefficients of n problems (n,m): relaxed(), or levels in `rounded` if
  /// the layer rounds.  In causal layers h is kExcluded for keys after the query.
  num::ConstView forward(const num::Gram& j, num::ConstView h, num::View rounded);
  [[nodiscard]] static bool rounds(const Site& site);

  /// Computes dh (n,m) from dx (n,m) for the problems of the last forward(), unless
  /// differentiates_j().  The gradient of J is (dh'x + x'dh)/2 with the relaxed x.
  void backward(const num::Gram& j, num::ConstView h, num::ConstView dx, num::View dh);
  /// Computes dh and the symmetric dj (m,m) of any layer.
  void backward(const num::Gram& j,
                num::ConstView h,
                num::ConstView dx,
                num::View dh,
                num::View dj);

  /// True if the gradient of J is not (dh'x + x'dh)/2: of marginals, and through the
  /// steps of ADMM.
  [[nodiscard]] bool differentiates_j() const;

  /// The coefficients before rounding.
  [[nodiscard]] num::ConstView relaxed() const { return relaxed_; }
  /// The largest violation of optimality in the last forward(); see box_qp_residual().
  [[nodiscard]] float residual(num::ConstView j) const;

 private:
  [[nodiscard]] bool unrolled() const;
  [[nodiscard]] bool is_constant() const;
  [[nodiscard]] bool has_mean_field() const;
  void solve_mean_field(const num::Gram& j, num::ConstView h);
  void smoothed(const num::Gram& j, num::ConstView h, num::ConstView dx, num::View w);
  void free_set(num::ConstView j, num::ConstView dx, num::View w) const;

  Coefficients kind_;
  int levels_;
  SolverSettings settings_;
  num::AdmmSettings admm_settings_;
  std::optional<num::Admm> admm_;  // if ADMM computes the coefficients
  std::optional<Stage> stage_;
  bool causal_;
  std::optional<num::MeanField> mean_field_;  // in a layer with stages
  std::optional<num::ScaledCg> cg_;           // if gradients are smoothed
  num::View relaxed_;
  num::View gradient_;  // J x + h at the relaxed solution
  num::View slope_;
  num::View transposed_;
};

/// Solves the box QP.  Returns its minimum `relaxed` (with gradient Jx + h in
/// `gradient`), or `rounded` levels, as `kind` and `settings` demand.
num::ConstView box_coefficients(Coefficients kind,
                                int levels,
                                const SolverSettings& settings,
                                bool causal,
                                const num::Gram& j,
                                num::ConstView h,
                                num::View relaxed,
                                num::View gradient,
                                num::View rounded);

/// Computes the marginals of exp(-(x'Jx/2 + h'x)/T) over binary x, for the rows of h
/// (n,m); m is at most num::Boltzmann::kMaxVariables.
void marginal_coefficients(num::ConstView j,
                           num::ConstView h,
                           float temperature,
                           num::View x);

/// Rounds x in place to the nearest of `levels` levels in [0,1];
/// with two levels, 1/2 becomes 0.
void round_to_levels(int levels, num::View x);

/// Normalises x_i to the weights a_i of values.  Backward needs `sums` (n).
void normalize(Normalization how, num::ConstView x, std::span<float> sums, num::View a);

/// Normalises x to a, and computes o = scale a v.
void weigh(Normalization how,
           num::ConstView x,
           std::span<float> sums,
           num::View a,
           num::ConstView v,
           float scale,
           num::View o);

/// Computes dx from da; dx may be da.
void normalize_backward(Normalization how,
                        num::ConstView x,
                        num::ConstView a,
                        std::span<const float> sums,
                        num::ConstView da,
                        num::View dx);

}  // namespace oa::attention
