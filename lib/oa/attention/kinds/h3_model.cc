#include "oa/attention/kinds/h3_model.h"

#include "oa/base/index.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

std::vector<float> steps_of_heads(int heads) {
  std::vector<float> steps;
  for (int h = 0; h < heads; ++h) {
    steps.push_back(static_cast<float>(1e-3 * std::pow(100.0, (h + 0.5) / heads)));
  }
  return steps;
}

/// Repeats each column `times` times.
void repeat_columns(ConstView from, int times, View to) {
  for (int i = 0; i < to.rows; ++i) {
    for (int j = 0; j < to.cols; ++j) {
      to(i, j) = from(i, j / times);
    }
  }
}

/// Adds groups of `times` columns.
void add_repeated_columns(ConstView from, int times, View to) {
  for (int i = 0; i < from.rows; ++i) {
    for (int j = 0; j < from.cols; ++j) {
      to(i, j / times) += from(i, j);
    }
  }
}

}  // namespace

DiagonalModels::DiagonalModels(int pairs, int columns, Arena& arena)
    : pole_re(num::zeros(pairs, columns, arena)),
      pole_im(num::zeros(pairs, columns, arena)),
      out_re(num::zeros(pairs, columns, arena)),
      out_im(num::zeros(pairs, columns, arena)),
      skip(num::zeros(columns, arena)) {}

void DiagonalModels::clear() const {
  for (const View all : {pole_re, pole_im, out_re, out_im}) {
    num::fill(all, 0.0F);
  }
  std::ranges::fill(skip, 0.0F);
}

DiagonalInput DiagonalModels::input(ConstView p) const {
  return {.p = p,
          .pole_re = pole_re,
          .pole_im = pole_im,
          .out_re = out_re,
          .out_im = out_im,
          .skip = skip};
}

DiagonalGradient DiagonalModels::gradient(View p) const {
  return {.p = p,
          .pole_re = pole_re,
          .pole_im = pole_im,
          .out_re = out_re,
          .out_im = out_im,
          .skip = skip};
}

H3Model::H3Model(parts::Layout& layout,
                 const std::string& prefix,
                 int pairs,
                 int heads,
                 int channels_of_head)
    : pairs_(pairs),
      heads_(heads),
      channels_of_head_(channels_of_head),
      steps_(steps_of_heads(heads)) {
  const auto declare_pairs = [&](const char* name, const parts::Init& init) {
    return layout.declare(prefix + name, {pairs, heads}, init);
  };
  const parts::Init drawn = parts::gaussian(std::sqrt(0.5));
  log_decay_ = declare_pairs("log_decay", parts::constant(std::log(0.5)));
  frequency_ = declare_pairs(
      "frequency", {.of_row = [](int pair) { return std::numbers::pi * pair; }});
  out_re_ = declare_pairs("C.re", drawn);
  out_im_ = declare_pairs("C.im", drawn);
  skip_ = layout.declare(prefix + "skip", {heads}, parts::constant(1.0));
}

DiagonalModels H3Model::for_heads(Arena& arena) const {
  return {pairs_, heads_, arena};
}

DiagonalModels H3Model::for_channels(Arena& arena) const {
  return {pairs_, channels(), arena};
}

void H3Model::make(const parts::Weights& weights,
                   const DiagonalModels& heads,
                   const DiagonalModels& channels) const {
  const parts::Values& values = weights.values();
  const int times = channels_of_head_;
  diagonal_poles(values.matrix(log_decay_),
                 values.matrix(frequency_),
                 steps_,
                 heads.pole_re,
                 heads.pole_im);
  repeat_columns(heads.pole_re, times, channels.pole_re);
  repeat_columns(heads.pole_im, times, channels.pole_im);
  repeat_columns(values.matrix(out_re_), times, channels.out_re);
  repeat_columns(values.matrix(out_im_), times, channels.out_im);
  for (int c = 0; c < this->channels(); ++c) {
    channels.skip[at(c)] = values.vector(skip_)[at(c / times)];
  }
}

void H3Model::backward(const parts::Weights& weights,
                       const DiagonalModels& channels,
                       const DiagonalModels& heads,
                       parts::Values& gradient) const {
  const int times = channels_of_head_;
  heads.clear();
  add_repeated_columns(channels.pole_re, times, heads.pole_re);
  add_repeated_columns(channels.pole_im, times, heads.pole_im);
  diagonal_poles_backward(weights.values().matrix(log_decay_),
                          weights.values().matrix(frequency_),
                          steps_,
                          heads.pole_re,
                          heads.pole_im,
                          gradient.matrix(log_decay_),
                          gradient.matrix(frequency_));
  add_repeated_columns(channels.out_re, times, gradient.matrix(out_re_));
  add_repeated_columns(channels.out_im, times, gradient.matrix(out_im_));
  for (int c = 0; c < this->channels(); ++c) {
    gradient.vector(skip_)[at(c / times)] += channels.skip[at(c)];
  }
}

}  // namespace oa::attention
