#include "oa/model/readout.h"

#include "oa/attention/coefficients.h"
#include "oa/attention/kind.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cmath>

namespace oa::model {
namespace {

using num::ConstView;
using num::View;

int pooled_width(const Config& c) {
  const bool concatenates =
      c.objective == Objective::Class && c.pooling == Pooling::Concat;
  return concatenates ? c.query_count() * c.dim : c.dim;
}

std::string head(const Config& c, int part) {
  return std::string(attention_layers(c).back().kind->head) + "." +
         std::to_string(part);
}

}  // namespace

TokenMixer::TokenMixer(const Config& config,
                       const std::string& prefix,
                       int rows,
                       parts::Layout& layout)
    : dim_(config.dim) {
  if (config.token_mlp == 0) {
    return;
  }
  norm_.emplace(layout, prefix + "token_mlp.0", dim_);
  if (config.query_positions) {
    positions_ =
        layout.declare(prefix + "query_embedding", {rows, dim_}, parts::gaussian(0.3));
    position_parameters_ = std::int64_t{1} * rows * dim_;
  }
  mlp_.emplace(layout,
               prefix + "token_mlp.1",
               prefix + "token_mlp.3",
               dim_,
               config.token_mlp,
               dim_);
}

parts::Cost TokenMixer::cost(int rows) const {
  if (!mlp_) {
    return {};
  }
  parts::Cost cost = norm_->cost(rows) + mlp_->cost(rows);
  cost.parameters += position_parameters_;
  cost.workspace = bytes_taken([&](Arena& arena) { return workspace(rows, arena); });
  return cost;
}

TokenMixer::Workspace TokenMixer::workspace(int rows, Arena& arena) const {
  if (!mlp_) {
    return {};
  }
  return {.norm = norm_->workspace(rows, arena),
          .mlp = mlp_->workspace(rows, arena),
          .input = num::zeros(rows, dim_, arena),
          .branch = num::zeros(rows, dim_, arena)};
}

void TokenMixer::forward(const parts::Weights& weights,
                         View o,
                         const Workspace& workspace) const {
  if (!mlp_) {
    return;
  }
  const View input = workspace.input;
  norm_->forward(weights, o, input, workspace.norm);
  if (positions_ >= 0) {
    num::add(weights.values().matrix(positions_).top(input.rows), input);
  }
  mlp_->forward(weights, input, workspace.branch, workspace.mlp);
  num::add(workspace.branch, o);
}

void TokenMixer::backward(const parts::Weights& weights,
                          View d_o,
                          parts::Values& gradient,
                          const Workspace& workspace) const {
  if (!mlp_) {
    return;
  }
  const View branch = workspace.branch;
  mlp_->backward(weights, workspace.input, d_o, branch, gradient, workspace.mlp);
  if (positions_ >= 0) {
    num::add(branch, gradient.matrix(positions_).top(branch.rows));
  }
  norm_->backward(weights, branch, branch, gradient, workspace.norm);
  num::add(branch, d_o);
}

Readout::Readout(const Config& config, parts::Layout& layout)
    : config_(config),
      mixer_(config, layer_prefix(config.layers - 1), config.query_count(), layout),
      norm_(layout, head(config, 0), pooled_width(config)) {
  if (config.head > 0) {
    mlp_.emplace(layout,
                 head(config, 1),
                 head(config, 3),
                 pooled_width(config),
                 config.head,
                 config.scores());
  } else {
    linear_.emplace(layout, head(config, 1), pooled_width(config), config.scores());
  }
}

parts::Cost Readout::cost(int rows) const {
  const int read = pools() ? 1 : rows;
  parts::Cost cost = mixer_.cost(rows) + norm_.cost(read);
  cost += mlp_ ? mlp_->cost(read) : linear_->cost(read);
  cost.workspace = bytes_taken([&](Arena& arena) { return workspace(rows, arena); });
  return cost;
}

Readout::Workspace Readout::workspace(int rows, Arena& arena) const {
  const int width = pooled_width(config_);
  const int read = pools() ? 1 : rows;
  Workspace all;
  all.mixer = mixer_.workspace(rows, arena);
  all.norm = norm_.workspace(read, arena);
  if (mlp_) {
    all.mlp = mlp_->workspace(read, arena);
  }
  all.pooled = num::zeros(read, width, arena);
  all.dpooled = num::zeros(read, width, arena);
  all.scores = num::zeros(read, config_.scores(), arena);
  return all;
}

void Readout::pool(ConstView o, View pooled) const {
  if (!pools()) {
    num::copy(o, pooled);
  } else if (config_.pooling == Pooling::Mean) {
    num::fill(pooled, 0.0F);
    const float share = 1.0F / static_cast<float>(o.rows);
    for (int i = 0; i < o.rows; ++i) {
      num::add_scaled({o.row(i), 1, o.cols, o.stride}, share, pooled);
    }
  } else {
    for (int i = 0; i < o.rows; ++i) {
      std::copy_n(
          o.row(i), o.cols, pooled.data + static_cast<std::ptrdiff_t>(i) * o.cols);
    }
  }
}

void Readout::pool_backward(ConstView dpooled, View d_o) const {
  if (!pools()) {
    num::copy(dpooled, d_o);
  } else if (config_.pooling == Pooling::Mean) {
    const float share = 1.0F / static_cast<float>(d_o.rows);
    num::fill(d_o, 0.0F);
    for (int i = 0; i < d_o.rows; ++i) {
      num::add_scaled(dpooled, share, {d_o.row(i), 1, d_o.cols, d_o.stride});
    }
  } else {
    for (int i = 0; i < d_o.rows; ++i) {
      std::copy_n(dpooled.data + static_cast<std::ptrdiff_t>(i) * d_o.cols,
                  d_o.cols,
                  d_o.row(i));
    }
  }
}

ConstView Readout::forward(const parts::Weights& weights,
                           View o,
                           const Workspace& workspace) const {
  mixer_.forward(weights, o, workspace.mixer);
  const View pooled = workspace.pooled;
  pool(o, pooled);
  norm_.forward(weights, pooled, pooled, workspace.norm);
  if (mlp_) {
    mlp_->forward(weights, pooled, workspace.scores, workspace.mlp);
  } else {
    linear_->forward(weights, pooled, workspace.scores);
  }
  return workspace.scores;
}

void Readout::backward(const parts::Weights& weights,
                       ConstView dscores,
                       View d_o,
                       parts::Values& gradient,
                       const Workspace& workspace) const {
  const View pooled = workspace.pooled;
  const View dpooled = workspace.dpooled;
  if (mlp_) {
    mlp_->backward(weights, pooled, dscores, dpooled, gradient, workspace.mlp);
  } else {
    linear_->backward(weights, pooled, dscores, dpooled, gradient);
  }
  norm_.backward(weights, dpooled, dpooled, gradient, workspace.norm);
  pool_backward(dpooled, d_o);
  mixer_.backward(weights, d_o, gradient, workspace.mixer);
}

void aggregate(const Config& config, ConstView x, ConstView v, float scale, View o) {
  num::Matrix a(x.rows, x.cols);
  num::Buffer sums(static_cast<std::size_t>(x.rows));
  attention::weigh(config.normalization, x, sums.span(), a, v, scale, o);
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
