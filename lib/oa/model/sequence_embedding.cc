#include "oa/model/sequence_embedding.h"

#include "oa/num/rows.h"

#include <algorithm>
#include <cassert>

namespace oa::model {
namespace {

// The initial standard deviation of an MLP's output.
constexpr double kDeviation = 0.3;

}  // namespace

using num::View;

SequenceEmbedding::SequenceEmbedding(const Config& c, parts::Layout& layout)
    : first_id_column_(c.token_width() - c.dim),
      dim_(c.dim),
      vector_width_(c.vector_width) {
  const std::int64_t before = layout.parameter_count();
  if (c.vocabulary > 0) {
    ids_ = layout.declare(
        "token_embedding", {c.vocabulary, c.dim}, parts::gaussian(kDeviation));
    if (c.previous) {
      previous_ = layout.declare(
          "previous_embedding", {c.vocabulary, c.dim}, parts::gaussian(kDeviation));
    }
  }
  if (c.positions) {
    positions_ = layout.declare(
        "pos_embedding", {c.length, c.token_width()}, parts::gaussian(kDeviation));
  }
  looked_up_ = layout.parameter_count() - before;
  if (c.vector_width > 0 && c.embedding == Embedding::Mlp) {
    mlp_.emplace(layout, "embedding.0", "embedding.2", c.vector_width, c.dim, c.dim);
  }
}

parts::Cost SequenceEmbedding::cost(int tokens) const {
  parts::Cost cost;
  if (mlp_) {
    cost += mlp_->cost(tokens);
    cost.backward -= parts::product_flops(tokens, vector_width_, dim_);
  }
  cost.parameters += looked_up_;
  cost.workspace = bytes_taken([&](Arena& arena) { return workspace(tokens, arena); });
  return cost;
}

SequenceEmbedding::Workspace SequenceEmbedding::workspace(int tokens,
                                                          Arena& arena) const {
  if (!mlp_) {
    return {};
  }
  return {.vectors = num::zeros(tokens, vector_width_, arena),
          .mlp = mlp_->workspace(tokens, arena),
          .made = num::zeros(tokens, dim_, arena)};
}

template <class F>
void SequenceEmbedding::each_lookup(const Input& input, F&& f) const {
  if (ids_ < 0) {
    return;
  }
  for (int i = 0; i < input.tokens; ++i) {
    const int id = input.ids[static_cast<std::size_t>(i)];
    if (id >= 0) {
      f(i, ids_, id);
    }
    const int before = i == 0 ? -1 : input.ids[static_cast<std::size_t>(i) - 1];
    if (previous_ >= 0 && before >= 0) {
      f(i, previous_, before);
    }
  }
}

void SequenceEmbedding::forward(const parts::Weights& weights,
                                const Input& input,
                                View tokens,
                                const Workspace& workspace) const {
  assert(input.tokens == tokens.rows);
  num::fill(tokens, 0.0F);
  const View vectors = mlp_ ? workspace.vectors : tokens;
  for (int i = 0; vector_width_ > 0 && i < tokens.rows; ++i) {
    std::copy_n(input.vectors.data() + static_cast<std::ptrdiff_t>(i) * vector_width_,
                vector_width_,
                vectors.row(i));
  }
  if (mlp_) {
    mlp_->forward(weights, vectors, workspace.made, workspace.mlp);
    num::copy(workspace.made, tokens);
  }
  each_lookup(input, [&](int row, int tensor, int id) {
    const float* from = weights.values().matrix(tensor).row(id);
    float* to = tokens.row(row) + first_id_column_;
    for (int k = 0; k < dim_; ++k) {
      to[k] += from[k];
    }
  });
  if (positions_ >= 0) {
    num::add(weights.values().matrix(positions_).top(tokens.rows), tokens);
  }
}

void SequenceEmbedding::backward(const parts::Weights& weights,
                                 const Input& input,
                                 View dtokens,
                                 parts::Values& gradient,
                                 const Workspace& workspace) const {
  if (positions_ >= 0) {
    num::add(dtokens, gradient.matrix(positions_).top(dtokens.rows));
  }
  each_lookup(input, [&](int row, int tensor, int id) {
    const float* from = dtokens.row(row) + first_id_column_;
    float* to = gradient.matrix(tensor).row(id);
    for (int k = 0; k < dim_; ++k) {
      to[k] += from[k];
    }
  });
  if (mlp_) {
    mlp_->backward(weights, workspace.vectors, dtokens, gradient, workspace.mlp);
  }
}

}  // namespace oa::model
