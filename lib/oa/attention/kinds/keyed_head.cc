#include "oa/attention/kinds/keyed_head.h"

#include "oa/attention/kernel/unit_rows.h"
#include "oa/base/index.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <optional>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

double sum_of(ConstView x) {
  double all = 0.0;
  for (int i = 0; i < x.rows; ++i) {
    float row = 0.0F;
    for (int k = 0; k < x.cols; ++k) {
      row += x(i, k);
    }
    all += static_cast<double>(row);
  }
  return all;
}

/// Marginals have no stages.
std::optional<Stage> first_stage(const Site& site) {
  return site.coefficients == Coefficients::Marginal ? std::nullopt
                                                     : std::optional(Stage{});
}

}  // namespace

KeyedHead::KeyedHead(const Site& site,
                     const KeyForm& form,
                     int width,
                     int tokens,
                     const Resources& resources)
    : form_(form),
      causal_(site.causal),
      how_(form.how),
      k_(num::zeros(site.keys(tokens), width, resources.kept)),
      q_(num::zeros(site.queries(tokens), width, resources.kept)),
      k_length_(num::zeros(k_.rows, resources.kept)),
      q_length_(num::zeros(q_.rows, resources.kept)),
      j_(num::zeros(k_.rows, k_.rows, resources.kept)),
      h_(num::zeros(q_.rows, k_.rows, resources.kept)),
      rounded_(CoefficientLayer::rounds(site)
                   ? num::zeros(q_.rows, k_.rows, resources.kept)
                   : View{}),
      a_(num::zeros(q_.rows, k_.rows, resources.kept)),
      sums_(num::zeros(q_.rows, resources.kept)),
      layer_(site, tokens, resources, first_stage(site)) {
  Arena& scratch = resources.scratch;
  v_ = num::zeros(k_.rows, width, scratch);
  o_ = num::zeros(q_.rows, width, scratch);
  transposed_ = num::zeros(width, k_.rows, scratch);
  penalty_ = num::zeros(k_.rows, scratch);
  if (resources.backward) {
    da_ = num::zeros(q_.rows, k_.rows, scratch);
    dh_ = num::zeros(q_.rows, k_.rows, scratch);
    if (layer_.differentiates_j()) {
      dj_ = num::zeros(k_.rows, k_.rows, scratch);
    }
    xk_ = num::zeros(q_.rows, width, scratch);
    dq_ = num::zeros(q_.rows, width, scratch);
    dk_ = num::zeros(k_.rows, width, scratch);
  }
}

void KeyedHead::pose(ConstView q,
                     ConstView k,
                     const KeyedScales& scales,
                     const QueryRows& rows) {
  const View unit_q = rows_of(q_, rows);
  const View linear = rows_of(h_, rows);
  q = rows_of(q, rows);
  if (form_.unit) {
    make_unit_rows(k, form_.centred, k_, k_length_);
    make_unit_rows(q, false, unit_q, q_length_.subspan(at(rows.first)));
  } else {
    copy_rows(k, k_);
    copy_rows(q, unit_q);
  }
  num::transpose(k_, transposed_);
  alpha_ = scales.alpha;
  layer_.set_temperature(scales.temperature);
  num::matmul(k_, transposed_, j_, alpha_);
  std::fill_n(penalty_.data(), k_.rows, scales.penalty);
  num::matmul(unit_q, transposed_, linear, -scales.beta, penalty_);
  for (int i = rows.first; causal_ && i < rows.last; ++i) {
    std::fill(h_.row(i) + i + 1, h_.row(i) + h_.cols, 0.0F);
  }
}

num::Gram KeyedHead::gram() {
  num::transpose(k_, transposed_);
  return {j_, k_, transposed_, alpha_};
}

void KeyedHead::forward(ConstView v, View o) {
  for (int i = 0; causal_ && i < h_.rows; ++i) {
    std::fill(h_.row(i) + i + 1, h_.row(i) + h_.cols, kExcluded);
  }
  x_ = layer_.forward(gram(), h_, rounded_);
  copy_rows(v, v_);
  weigh(how_, x_, sums_, a_, v_, 1.0F, o_);
  copy_rows(o_, o);
}

void KeyedHead::backward(ConstView v,
                         ConstView d_o,
                         const KeyedScales& scales,
                         const HeadsGradient& to,
                         KeyedScalesGradient& gradient) {
  copy_rows(d_o, o_);
  copy_rows(v, v_);
  num::transpose(v_, transposed_);
  num::matmul(o_, transposed_, da_);
  num::fill(v_, 0.0F);
  num::matmul_transposed_add(a_, o_, v_);
  copy_rows(v_, to.v);
  normalize_backward(how_, x_, a_, sums_, da_, da_);
  if (layer_.differentiates_j()) {
    layer_.backward(gram(), h_, da_, dh_, dj_);
    // Marginals depend on J/T and h/T only.
    gradient.log_temperature -= num::dot(dj_, j_) + num::dot(dh_, h_);
    num::matmul(dh_, k_, dq_);
    num::matmul(dj_, k_, dk_, 2.0F * scales.alpha);
    gradient.log_alpha += num::dot(dj_, j_);
    num::fill(xk_, 0.0F);
  } else {
    // J = alpha k k' and dj = (dh'x + x'dh)/2 have at most the ranks of k and h.
    const ConstView x = layer_.relaxed();
    layer_.backward(gram(), h_, da_, dh_);
    num::matmul(dh_, k_, dq_);
    num::matmul(x, k_, xk_, scales.alpha);
    num::fill(dk_, 0.0F);
    num::matmul_transposed_add(x, dq_, dk_, scales.alpha);
    gradient.log_alpha += num::dot(dq_, xk_);
  }
  // h = penalty - beta k q; dh is 0 for excluded variables.
  gradient.log_beta -= static_cast<double>(scales.beta) * num::dot(dq_, q_);
  gradient.penalty += sum_of(dh_);
  num::add_scaled(q_, -scales.beta, xk_);
  num::matmul_transposed_add(dh_, xk_, dk_);
  num::scale(dq_, -scales.beta);
  if (form_.unit) {
    make_unit_backward(q_, q_length_, false, dq_);
    make_unit_backward(k_, k_length_, form_.centred, dk_);
  }
  copy_rows(dq_, to.q);
  copy_rows(dk_, to.k);
}

}  // namespace oa::attention
