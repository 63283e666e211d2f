#include "oa/model/embedding.h"

#include "oa/attention/kind.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cassert>

namespace oa::model {

using num::View;

PatchEmbedding::PatchEmbedding(const Config& config, parts::Layout& layout)
    : config_(config) {
  const int m = config.tokens();
  if (config.patch_norm) {
    norm_.emplace(layout, "to_patch_embedding.1", config.window_size());
  }
  if (config.embedding == Embedding::Mlp) {
    mlp_.emplace(layout,
                 "embedding.0",
                 "embedding.2",
                 config.window_size(),
                 config.dim,
                 config.dim);
  }
  if (config.positions && std::ranges::any_of(attention_layers(config),
                                              [](const attention::KindSpec& spec) {
                                                return spec.kind->positions;
                                              })) {
    // The reference draws positions from N(0,1) if tokens are patches.
    // Outputs of an embedding are smaller, about 0.3.
    const double size = config.embedding == Embedding::Mlp ? 0.3 : 1.0;
    positions_ = layout.declare(
        "pos_embedding", {1, m + 1, config.token_width()}, parts::gaussian(size), m);
  }
}

parts::Cost PatchEmbedding::cost() const {
  const int m = config_.tokens();
  parts::Cost cost;
  if (norm_) {
    cost += norm_->cost(m);
  }
  if (mlp_) {
    cost += mlp_->cost(m);
    if (!norm_) {
      cost.backward -= parts::product_flops(m, config_.window_size(), config_.dim);
    }
  }
  if (positions_ >= 0) {
    cost.parameters += std::int64_t{1} * m * config_.token_width();
  }
  cost.workspace = bytes_taken([&](Arena& arena) { return workspace(arena); });
  return cost;
}

PatchEmbedding::Workspace PatchEmbedding::workspace(Arena& arena) const {
  const int m = config_.tokens();
  Workspace all;
  all.patches = num::zeros(m, config_.window_size(), arena);
  if (norm_) {
    all.norm = norm_->workspace(m, arena);
  }
  if (mlp_) {
    all.mlp = mlp_->workspace(m, arena);
  }
  if (norm_ && mlp_) {
    all.dpatches = num::zeros(m, config_.window_size(), arena);
  }
  return all;
}

void PatchEmbedding::cut(std::span<const float> image, View patches) const {
  const Config& c = config_;
  assert(static_cast<int>(image.size()) == c.channels * c.rows * c.cols);
  constexpr float kBackground = -1.0F;
  for (int gr = 0, token = 0; gr < c.grid_rows(); ++gr) {
    for (int gc = 0; gc < c.grid_cols(); ++gc, ++token) {
      float* to = patches.row(token);
      const int left = gc * c.stride - c.margin;
      // Columns begin .. end-1 of the window lie in the picture.
      const int begin = std::clamp(-left, 0, c.window);
      const int end = std::clamp(c.cols - left, begin, c.window);
      for (int part = 0; part < c.channels * c.window; ++part, to += c.window) {
        const int r = gr * c.stride - c.margin + part % c.window;
        const int above = part / c.window * c.rows;  // rows of earlier colours
        if (r < 0 || r >= c.rows) {
          std::fill_n(to, c.window, kBackground);
          continue;
        }
        const float* from = image.data() + (above + r) * c.cols + (left + begin);
        std::fill(to, to + begin, kBackground);
        std::copy(from, from + (end - begin), to + begin);
        std::fill(to + end, to + c.window, kBackground);
      }
    }
  }
}

void PatchEmbedding::forward(const parts::Weights& weights,
                             std::span<const float> image,
                             View tokens,
                             const Workspace& workspace) const {
  const View patches = workspace.patches;
  cut(image, patches);
  if (norm_) {
    norm_->forward(weights, patches, patches, workspace.norm);
  }
  if (mlp_) {
    mlp_->forward(weights, patches, tokens, workspace.mlp);
  } else {
    num::copy(patches, tokens);
  }
  if (positions_ >= 0) {
    num::add(weights.values().matrix(positions_).top(tokens.rows), tokens);
  }
}

void PatchEmbedding::backward(const parts::Weights& weights,
                              View dtokens,
                              parts::Values& gradient,
                              const Workspace& workspace) const {
  if (positions_ >= 0) {
    num::add(dtokens, gradient.matrix(positions_).top(dtokens.rows));
  }
  if (mlp_ && norm_) {
    const View dpatches = workspace.dpatches;
    mlp_->backward(
        weights, workspace.patches, dtokens, dpatches, gradient, workspace.mlp);
    norm_->backward(weights, dpatches, dpatches, gradient, workspace.norm);
  } else if (mlp_) {
    mlp_->backward(weights, workspace.patches, dtokens, gradient, workspace.mlp);
  } else if (norm_) {
    norm_->backward(weights, dtokens, dtokens, gradient, workspace.norm);
  }
}

void normalize_pixels(std::span<const std::uint8_t> pixels, std::span<float> image) {
  assert(pixels.size() == image.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    image[i] = (static_cast<float>(pixels[i]) / 255.0F - 0.5F) / 0.5F;
  }
}

}  // namespace oa::model
