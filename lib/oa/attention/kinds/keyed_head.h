#pragma once

#include "oa/attention/coefficients.h"
#include "oa/attention/kernel/heads.h"
#include "oa/attention/resources.h"
#include "oa/attention/site.h"

#include <span>

namespace oa::attention {

/// The form of keys and queries in the problem.
struct KeyForm {
  bool unit = true;     ///< normalised to length 1
  bool centred = true;  ///< keys minus their mean, before normalisation
  Normalization how = Normalization::Capped;  ///< of coefficients
};

/// The learned parameters of the problem.
struct KeyedScales {
  float alpha = 0.0F;
  float beta = 0.0F;
  float penalty = 0.0F;
  float temperature = 1.0F;  ///< of marginal coefficients
};

/// Gradients of ln alpha, ln beta, the penalty and ln temperature.
struct KeyedScalesGradient {
  double log_alpha = 0.0;
  double log_beta = 0.0;
  double penalty = 0.0;
  double log_temperature = 0.0;
};

/// One head of optimising attention with keys, for one sequence.
/// The coefficients x of query i minimise 1/2 x'Jx + h_i'x with
///   J = alpha k k',  h_i = penalty - beta k q_i
/// and the output is o_i = x'V / max(1, |x|_1), or x'V.
/// If causal, query i sees the first i + 1 keys.
class KeyedHead {
 public:
  /// Heads compute one after the other, so all of them can share resources.scratch.
  KeyedHead(const Site& site,
            const KeyForm& form,
            int width,
            int tokens,
            const Resources& resources);

  void set_stage(const Stage& stage) { layer_.set_stage(stage); }

  /// Computes j() and the given rows of h() from the columns of a head.
  /// In causal layers h is 0 for keys after the query.
  void pose(num::ConstView q,
            num::ConstView k,
            const KeyedScales& scales,
            const QueryRows& rows);
  [[nodiscard]] num::ConstView j() const { return j_; }
  [[nodiscard]] num::ConstView h() const { return h_; }

  /// Computes o from v, columns of a head, after pose().
  void forward(num::ConstView v, num::View o);

  /// Overwrites the gradients in `to`, and adds to the gradients of the scales.
  void backward(num::ConstView v,
                num::ConstView d_o,
                const KeyedScales& scales,
                const HeadsGradient& to,
                KeyedScalesGradient& gradient);

  [[nodiscard]] const CoefficientLayer& coefficients() const { return layer_; }
  [[nodiscard]] float residual() const { return layer_.residual(j_); }

 private:
  /// J and its factors in scratch memory, valid for one call.
  [[nodiscard]] num::Gram gram();

  KeyForm form_;
  bool causal_;
  Normalization how_;
  float alpha_ = 1.0F;
  num::View k_;
  num::View q_;
  std::span<float> k_length_;
  std::span<float> q_length_;
  num::View j_;
  num::View h_;
  num::View rounded_;  // coefficients, if they are rounded
  num::ConstView x_;
  num::View a_;
  std::span<float> sums_;
  CoefficientLayer layer_;
  num::View v_;           // scratch, as are the next members
  num::View o_;           // then its gradient
  num::View transposed_;  // transposed keys or values
  std::span<float> penalty_;
  num::View da_;
  num::View dh_;
  num::View dj_;  // if the layer differentiates J
  num::View xk_;
  num::View dq_;
  num::View dk_;
};

}  // namespace oa::attention
