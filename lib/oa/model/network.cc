#include "oa/model/network.h"

#include "oa/base/error.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cmath>

namespace oa::model {
namespace {

using num::ConstView;
using num::View;

// to = from at (row, col) of the trained grid, between its points.
void interpolate(ConstView from, int cols, double row, double col, float* to) {
  const int rows = from.rows / cols;
  const int r0 = std::min(static_cast<int>(row), rows - 1);
  const int c0 = std::min(static_cast<int>(col), cols - 1);
  const int r1 = std::min(r0 + 1, rows - 1);
  const int c1 = std::min(c0 + 1, cols - 1);
  const auto fr = static_cast<float>(row - r0);
  const auto fc = static_cast<float>(col - c0);
  for (int k = 0; k < from.cols; ++k) {
    const float top =
        (1.0F - fc) * from(r0 * cols + c0, k) + fc * from(r0 * cols + c1, k);
    const float bottom =
        (1.0F - fc) * from(r1 * cols + c0, k) + fc * from(r1 * cols + c1, k);
    to[k] = (1.0F - fr) * top + fr * bottom;
  }
}

}  // namespace

Model::Model(const Config& c)
    : config(c),
      layout(Architecture(c).layout),
      values(layout) {}

Network::Network(const Config& config, const attention::SolverSettings& solver)
    : architecture_(config, solver),
      arena_(architecture_.cost().workspace),
      workspace_(architecture_.workspace(arena_)) {}

void Network::replace_tokens(float share, Rng rng) {
  const View tokens = workspace_.layers[0].tokens;
  double squares = 0.0;
  for (int i = 0; i < tokens.rows; ++i) {
    for (int k = 0; k < tokens.cols; ++k) {
      squares += static_cast<double>(tokens(i, k)) * static_cast<double>(tokens(i, k));
    }
  }
  const double size = std::sqrt(squares / (double{1} * tokens.rows * tokens.cols));
  for (int i = 0; i < tokens.rows; ++i) {
    if (rng.uniform() >= static_cast<double>(share)) {
      continue;
    }
    replaced_.push_back(i);
    for (int k = 0; k < tokens.cols; ++k) {
      tokens(i, k) = static_cast<float>(size * rng.normal());
    }
  }
}

void Network::up_to_last_attention(const parts::Weights& weights,
                                   std::span<const float> image,
                                   const std::optional<TrainingNoise>& noise) {
  auto& layers = workspace_.layers;
  architecture_.embedding.forward(
      weights, image, layers[0].tokens, workspace_.embedding);
  replaced_.clear();
  if (noise && noise->random_tokens > 0.0F) {
    replace_tokens(noise->random_tokens, noise->rng);
  }
  for (std::size_t l = 0; l < layers.size(); ++l) {
    layers[l].attention->draw_noise(noise ? std::optional(noise->rng.fork(l))
                                          : std::nullopt);
  }
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
    const View next = layers[l + 1].tokens;
    layers[l].attention->forward(weights, layers[l].tokens, next);
    architecture_.layers[l].mixer->forward(weights, next, layers[l].mixer);
  }
}

std::span<const float> Network::forward(const parts::Weights& weights,
                                        std::span<const float> image,
                                        const std::optional<TrainingNoise>& noise) {
  up_to_last_attention(weights, image, noise);
  const auto& last = workspace_.layers.back();
  last.attention->forward(weights, last.tokens, workspace_.output);
  return architecture_.readout.forward(weights, workspace_.output, workspace_.readout);
}

void Network::backward(const parts::Weights& weights,
                       std::span<const float> dscores,
                       parts::Values& gradient) {
  const View d_o = workspace_.doutput;
  const View dtokens = workspace_.dtokens;
  architecture_.readout.backward(weights, dscores, d_o, gradient, workspace_.readout);
  for (std::size_t l = workspace_.layers.size(); l-- > 0;) {
    const auto& layer = workspace_.layers[l];
    const View dx = l == 0 ? dtokens : workspace_.output;
    layer.attention->backward(weights, layer.tokens, d_o, dx, gradient);
    if (l > 0) {
      num::copy(dx, d_o);
      architecture_.layers[l - 1].mixer->backward(
          weights, d_o, gradient, workspace_.layers[l - 1].mixer);
    }
  }
  for (const int i : replaced_) {
    std::fill_n(dtokens.row(i), dtokens.cols, 0.0F);
  }
  architecture_.embedding.backward(weights, dtokens, gradient, workspace_.embedding);
}

std::span<const attention::Problem> Network::pose(const parts::Weights& weights,
                                                  std::span<const float> image) {
  up_to_last_attention(weights, image, {});
  const auto& last = workspace_.layers.back();
  return last.attention->pose(weights, last.tokens);
}

Model with_stride(const Model& model, int stride) {
  const Config& old = model.config;
  Config config = old;
  config.stride = stride;
  check(config, "stride " + std::to_string(stride));
  if (old.queries == 0 && old.pooling == Pooling::Concat) {
    throw InputError("stride " + std::to_string(stride) +
                     ": the model has a place for each of its " +
                     std::to_string(old.tokens()) + " queries");
  }
  Model to(config);
  for (int k = 0; k < static_cast<int>(std::ssize(to.layout.tensors())); ++k) {
    const parts::Tensor& t = to.layout[k];
    const bool per_query = old.queries == 0 && t.name.ends_with("query_embedding");
    if (t.name != "pos_embedding" && !per_query) {
      num::copy(model.values.matrix(k), to.values.matrix(k));
      continue;
    }
    const ConstView from = model.values.matrix(k).top(old.tokens());
    const double step = static_cast<double>(stride) / old.stride;
    for (int i = 0; i < config.tokens(); ++i) {
      interpolate(from,
                  old.grid_cols(),
                  i / config.grid_cols() * step,
                  i % config.grid_cols() * step,
                  to.values.matrix(k).row(i));
    }
  }
  return to;
}

}  // namespace oa::model
