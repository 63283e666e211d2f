#include "oa/attention/kernel/unit_rows.h"
#include "oa/attention/keyed.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cassert>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

void one_unit_row(bool unit, ConstView from, View to) {
  float length[num::kLane] = {};
  if (unit) {
    make_unit_rows(from, false, to, length);
  } else {
    std::copy_n(from.row(0), from.cols, to.row(0));
  }
}

}  // namespace

Keyed::TokenByToken::TokenByToken(const Site& site,
                                  const Parts& parts,
                                  int tokens,
                                  const Resources& resources)
    : parts_(parts),
      form_(parts.form(site)),
      kind_(site.coefficients),
      levels_(site.levels),
      how_(site.keyed_normalization()),
      solver_(site.solver),
      at_(parts.maps.workspace(1,
                               {.kept = resources.scratch,
                                .scratch = resources.scratch,
                                .backward = false})) {
  const int width = parts_.maps.head_dim();
  for (int head = 0; head < parts_.maps.heads(); ++head) {
    heads_.push_back({.keys = num::zeros(width, tokens, resources.kept),
                      .values = num::zeros(tokens, width, resources.kept),
                      .j = num::zeros(tokens, tokens, resources.kept)});
  }
  Arena& scratch = resources.scratch;
  key_ = num::zeros(1, width, scratch);
  query_ = num::zeros(1, width, scratch);
  h_ = num::zeros(1, tokens, scratch);
  relaxed_ = num::zeros(1, tokens, scratch);
  gradient_ = num::zeros(1, tokens, scratch);
  x_ = num::zeros(1, tokens, scratch);
  sum_ = num::zeros(1, scratch);
}

void Keyed::TokenByToken::step(const parts::Weights& weights, ConstView x, View y) {
  assert(step_ < h_.cols);
  parts_.maps.forward(weights, x, at_);
  const int width = parts_.maps.head_dim();
  for (int h = 0; h < parts_.maps.heads(); ++h) {
    const Head& head = heads_[static_cast<std::size_t>(h)];
    const int first = h * width;
    one_unit_row(form_.unit, columns(ConstView(at_.k), first, width), key_);
    one_unit_row(form_.unit, columns(ConstView(at_.q), first, width), query_);
    std::copy_n(at_.v.row(0) + first, width, head.values.row(step_));
    append(parts_.scales(weights, h), head);
    mix(head, columns(at_.mixed, first, width));
  }
  ++step_;
  parts_.maps.finish(weights, y, at_);
}

void Keyed::TokenByToken::append(const KeyedScales& scales, const Head& head) {
  const auto so_far = [&](View all) { return columns(all, 0, step_ + 1); };
  for (int c = 0; c < key_.cols; ++c) {
    head.keys(c, step_) = key_(0, c);
  }
  const View newest = so_far(row_block(head.j, step_, 1));
  num::matmul(key_, so_far(head.keys), newest, scales.alpha);
  num::matmul(query_, so_far(head.keys), so_far(h_), -scales.beta);
  for (int k = 0; k <= step_; ++k) {
    head.j(k, step_) = newest(0, k);
    h_(0, k) += scales.penalty;
  }
}

void Keyed::TokenByToken::mix(const Head& head, View mixed) {
  const int known = step_ + 1;
  const auto so_far = [&](View all) { return columns(all, 0, known); };
  const ConstView j{head.j.data, known, known, head.j.stride};
  const View x = so_far(x_);
  normalize(how_,
            box_coefficients(kind_,
                             levels_,
                             solver_,
                             false,
                             {j},
                             so_far(h_),
                             so_far(relaxed_),
                             so_far(gradient_),
                             x),
            sum_,
            x);
  std::fill_n(mixed.row(0), mixed.cols, 0.0F);
  for (int k = 0; k < known; ++k) {
    for (int c = 0; c < mixed.cols && x(0, k) != 0.0F; ++c) {
      mixed(0, c) += x(0, k) * head.values(k, c);
    }
  }
}

void Keyed::TokenByToken::restart() {
  // What lies behind the columns of a view has to be zero again.
  for (const Head& head : heads_) {
    num::fill(head.keys, 0.0F);
    num::fill(head.j, 0.0F);
  }
  num::fill(h_, 0.0F);
  step_ = 0;
}

}  // namespace oa::attention
