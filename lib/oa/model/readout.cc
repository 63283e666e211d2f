#include "oa/model/readout.h"

#include "oa/attention/coefficients.h"
#include "oa/attention/kind.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace oa::model {
namespace {

using num::ConstView;
using num::View;

int pooled_width(const Config& c) {
  return c.pooling == Pooling::Mean ? c.dim : c.query_count() * c.dim;
}

std::string head(const Config& c, int part) {
  return std::string(attention::find_kind(c.attention)->head) + "." +
         std::to_string(part);
}

}  // namespace

TokenMixer::TokenMixer(const Config& config,
                       const std::string& prefix,
                       parts::Layout& layout) {
  if (config.token_mlp == 0) {
    return;
  }
  const int n = config.query_count();
  norm_.emplace(layout, prefix + "token_mlp.0", n, config.dim);
  if (config.query_positions) {
    positions_ =
        layout.add(prefix + "query_embedding", {n, config.dim}, parts::gaussian(0.3));
  }
  mlp_.emplace(layout,
               prefix + "token_mlp.1",
               prefix + "token_mlp.3",
               n,
               config.dim,
               config.token_mlp,
               config.dim);
  input_ = num::Matrix(n, config.dim);
  branch_ = num::Matrix(n, config.dim);
}

void TokenMixer::forward(const parts::Weights& weights, View o) {
  if (!mlp_) {
    return;
  }
  norm_->forward(weights, o, input_);
  if (positions_ >= 0) {
    num::add(weights.values().matrix(positions_), input_);
  }
  mlp_->forward(weights, input_, branch_);
  num::add(branch_, o);
}

void TokenMixer::backward(const parts::Weights& weights,
                          View d_o,
                          parts::Values& gradient) {
  if (!mlp_) {
    return;
  }
  mlp_->backward(weights, input_, d_o, branch_, gradient);
  if (positions_ >= 0) {
    num::add(branch_, gradient.matrix(positions_));
  }
  norm_->backward(weights, branch_, branch_, gradient);
  num::add(branch_, d_o);
}

Readout::Readout(const Config& config, parts::Layout& layout)
    : config_(config),
      mixer_(
          config,
          config.layers > 1 ? "layers." + std::to_string(config.layers - 1) + "." : "",
          layout),
      norm_(layout, head(config, 0), 1, pooled_width(config)),
      pooled_(1, pooled_width(config)),
      dpooled_(1, pooled_width(config)),
      scores_(1, config.classes),
      dscores_(1, config.classes) {
  if (config.head > 0) {
    mlp_.emplace(layout,
                 head(config, 1),
                 head(config, 3),
                 1,
                 pooled_width(config),
                 config.head,
                 config.classes);
  } else {
    linear_.emplace(layout, head(config, 1), pooled_width(config), config.classes);
  }
}

std::span<const float> Readout::forward(const parts::Weights& weights, View o) {
  mixer_.forward(weights, o);
  float* pooled = pooled_.row(0);
  if (config_.pooling == Pooling::Mean) {
    num::fill(pooled_, 0.0F);
    const float share = 1.0F / static_cast<float>(o.rows);
    for (int i = 0; i < o.rows; ++i) {
      num::add_scaled({o.row(i), 1, o.cols, o.stride}, share, pooled_);
    }
  } else {
    for (int i = 0; i < o.rows; ++i) {
      std::copy_n(o.row(i), o.cols, pooled + static_cast<std::ptrdiff_t>(i) * o.cols);
    }
  }
  norm_.forward(weights, pooled_, pooled_);
  if (mlp_) {
    mlp_->forward(weights, pooled_, scores_);
  } else {
    linear_->forward(weights, pooled_, scores_);
  }
  return {scores_.row(0), static_cast<std::size_t>(config_.classes)};
}

void Readout::backward(const parts::Weights& weights,
                       std::span<const float> dscores,
                       View d_o,
                       parts::Values& gradient) {
  std::ranges::copy(dscores, dscores_.row(0));
  if (mlp_) {
    mlp_->backward(weights, pooled_, dscores_, dpooled_, gradient);
  } else {
    linear_->gradients(pooled_, dscores_, gradient);
    linear_->input_gradient(weights, dscores_, dpooled_);
  }
  norm_.backward(weights, dpooled_, dpooled_, gradient);
  if (config_.pooling == Pooling::Mean) {
    const float share = 1.0F / static_cast<float>(d_o.rows);
    num::fill(d_o, 0.0F);
    for (int i = 0; i < d_o.rows; ++i) {
      num::add_scaled(dpooled_, share, {d_o.row(i), 1, d_o.cols, d_o.stride});
    }
  } else {
    for (int i = 0; i < d_o.rows; ++i) {
      std::copy_n(dpooled_.row(0) + static_cast<std::ptrdiff_t>(i) * d_o.cols,
                  d_o.cols,
                  d_o.row(i));
    }
  }
  mixer_.backward(weights, d_o, gradient);
}

void aggregate(const Config& config, ConstView x, ConstView v, float scale, View o) {
  num::Matrix a(x.rows, x.cols);
  num::Buffer sums(static_cast<std::size_t>(x.rows));
  normalize(config.normalization, x, sums.span(), a);
  num::matmul(a, v, o, scale);
}

std::vector<double> probabilities(std::span<const float> scores) {
  const auto top = static_cast<double>(*std::ranges::max_element(scores));
  std::vector<double> p;
  double sum = 0.0;
  for (const float score : scores) {
    p.push_back(std::exp(static_cast<double>(score) - top));
    sum += p.back();
  }
  for (double& value : p) {
    value /= sum;
  }
  return p;
}

}  // namespace oa::model
