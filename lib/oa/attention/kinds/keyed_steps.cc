#include "oa/attention/kinds/keyed_steps.h"

#include "oa/attention/kernel/unit_rows.h"
#include "oa/base/index.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cassert>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

/// Copies a row, normalised if `unit`; returns the row's length, or 1 if not `unit`.
float one_unit_row(bool unit, ConstView from, View to) {
  float length = 1.0F;
  if (unit) {
    make_unit_rows(from, false, to, {&length, 1});
  } else {
    std::copy_n(from.row(0), from.cols, to.row(0));
  }
  return length;
}

}  // namespace

KeyedSteps::KeyedSteps(const Site& site,
                       const Form& form,
                       int tokens,
                       const Resources& resources)
    : form_(form),
      low_rank_(num::Gram::is_low_rank(tokens, form.width) && !site.solver.optima &&
                site.coefficients != Coefficients::Marginal),
      kind_(site.coefficients),
      levels_(site.levels),
      solver_(site.solver) {
  for (int h = 0; h < form.heads; ++h) {
    Head& head = heads_.emplace_back();
    head.keys = num::zeros(form.width, tokens, resources.kept);
    if (form.own) {
      head.lengths = num::zeros(tokens, resources.kept);
    } else {
      head.values = num::zeros(tokens, form.width, resources.kept);
    }
    if (!low_rank_) {
      head.j = num::zeros(tokens, tokens, resources.kept);
    }
  }
  Arena& scratch = resources.scratch;
  key_ = num::zeros(1, form.width, scratch);
  query_ = num::zeros(1, form.width, scratch);
  h_ = num::zeros(1, tokens, scratch);
  relaxed_ = num::zeros(1, tokens, scratch);
  gradient_ = num::zeros(1, tokens, scratch);
  x_ = num::zeros(1, tokens, scratch);
  sum_ = num::zeros(1, scratch);
}

void KeyedSteps::mix(int head,
                     const KeyedScales& scales,
                     ConstView q,
                     ConstView k,
                     ConstView v,
                     View mixed) {
  assert(step_ < h_.cols);
  const Head& here = heads_[at(head)];
  const float length = one_unit_row(form_.unit, k, key_);
  (void)one_unit_row(form_.unit, q, query_);
  if (form_.own) {
    here.lengths[at(step_)] = length;
  } else {
    std::copy_n(v.row(0), form_.width, here.values.row(step_));
  }
  append(scales, here);
  weigh_values(scales, here, mixed);
}

void KeyedSteps::append(const KeyedScales& scales, const Head& head) {
  const auto so_far = [&](View all) { return columns(all, 0, step_ + 1); };
  for (int c = 0; c < key_.cols; ++c) {
    head.keys(c, step_) = key_(0, c);
  }
  num::matmul(query_, so_far(head.keys), so_far(h_), -scales.beta);
  for (int k = 0; k <= step_; ++k) {
    h_(0, k) += scales.penalty;
  }
  if (low_rank_) {
    return;
  }
  const View newest = so_far(row_block(head.j, step_, 1));
  num::matmul(key_, so_far(head.keys), newest, scales.alpha);
  for (int k = 0; k <= step_; ++k) {
    head.j(k, step_) = newest(0, k);
  }
}

void KeyedSteps::weigh_values(const KeyedScales& scales, const Head& head, View mixed) {
  const int known = step_ + 1;
  const auto so_far = [&](View all) { return columns(all, 0, known); };
  const num::Gram gram{
      .j = low_rank_ ? View{} : View{head.j.data, known, known, head.j.stride},
      .transposed = so_far(head.keys),
      .scale = scales.alpha};
  const View x = so_far(x_);
  ConstView found = x;
  if (kind_ == Coefficients::Marginal) {
    marginal_coefficients(gram.j, so_far(h_), scales.temperature, x);
  } else {
    found = box_coefficients(kind_,
                             levels_,
                             solver_,
                             false,
                             gram,
                             so_far(h_),
                             so_far(relaxed_),
                             so_far(gradient_),
                             x);
  }
  normalize(form_.how, found, sum_, x);
  std::fill_n(mixed.row(0), mixed.cols, 0.0F);
  for (int k = 0; k < known; ++k) {
    const float weight = form_.own ? x(0, k) * head.lengths[at(k)] : x(0, k);
    for (int c = 0; c < mixed.cols && weight != 0.0F; ++c) {
      mixed(0, c) += weight * (form_.own ? head.keys(c, k) : head.values(k, c));
    }
  }
}

void KeyedSteps::restart() {
  // Kernels need zeros after the columns of a view.
  for (const Head& head : heads_) {
    num::fill(head.keys, 0.0F);
    num::fill(head.j, 0.0F);
  }
  num::fill(h_, 0.0F);
  step_ = 0;
}

}  // namespace oa::attention
