#include "oa/model/network.h"

#include "oa/base/error.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cmath>

namespace oa::model {
namespace {

using num::ConstView;
using num::View;

// Interpolates positions `from`, of the trained grid, at (row, col).
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

Network::Place::Place(const Architecture& architecture, int tokens)
    : arena(architecture.cost(tokens).workspace),
      workspace(architecture.workspace(tokens, arena)) {}

Network::Network(const Config& config, const attention::SolverSettings& solver)
    : architecture_(config, solver) {
  go_to(config.tokens());
}

void Network::go_to(int tokens) {
  const auto [found, is_new] = places_.try_emplace(tokens, architecture_, tokens);
  here_ = &found->second;
  if (is_new) {
    for (auto& layer : here_->workspace.layers) {
      layer.attention->set_stage(stage_);
    }
  }
}

void Network::set_stage(const attention::Stage& stage) {
  stage_ = stage;
  for (auto& [tokens, place] : places_) {
    for (auto& layer : place.workspace.layers) {
      layer.attention->set_stage(stage);
    }
  }
}

void Network::replace_tokens(float share, Rng rng) {
  const View tokens = at(0).tokens;
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

void Network::begin(const parts::Weights& weights,
                    const Input& input,
                    const std::optional<TrainingNoise>& noise) {
  input_ = input;
  go_to(input.tokens > 0 ? input.tokens : config().tokens());
  Architecture::Workspace& here = here_->workspace;
  if (architecture_.patches) {
    architecture_.patches->forward(weights, input.picture, at(0).tokens, here.patches);
  } else {
    architecture_.sequence->forward(weights, input, at(0).tokens, here.sequence);
  }
  replaced_.clear();
  if (noise && noise->random_tokens > 0.0F) {
    replace_tokens(noise->random_tokens, noise->rng);
  }
  for (std::size_t l = 0; l < here.layers.size(); ++l) {
    here.layers[l].attention->draw_noise(noise ? std::optional(noise->rng.fork(l))
                                               : std::nullopt);
  }
}

std::span<const attention::Problem> Network::pose(
    const parts::Weights& weights,
    int layer,
    const std::optional<attention::QueryRows>& rows) {
  const LayerAt& here = at(layer);
  const auto& norm = architecture_.layers[static_cast<std::size_t>(layer)].norm;
  if (norm) {
    norm->forward(weights, here.tokens, here.unit, here.norm);
  }
  return here.attention->pose(
      weights, here.unit, rows.value_or(attention::QueryRows{0, here.output.rows}));
}

void Network::attend(const parts::Weights& weights, int layer) {
  const LayerAt& here = at(layer);
  const auto& norm = architecture_.layers[static_cast<std::size_t>(layer)].norm;
  if (norm) {
    norm->forward(weights, here.tokens, here.unit, here.norm);
  }
  here.attention->forward(weights, here.unit, here.output);
}

ConstView Network::residual(int layer) const {
  const LayerAt& here = at(layer);
  const bool learned = config().queries > 0 && layer + 1 == config().layers;
  if (!config().residual || learned) {
    return {};
  }
  const int rows = here.output.rows;
  const View all = here.tokens;
  return {all.row(all.rows - rows), rows, all.cols, all.stride};
}

void Network::finish(const parts::Weights& weights, int layer) {
  const LayerAt& here = at(layer);
  if (const ConstView before = residual(layer); before.rows > 0) {
    num::add(before, here.output);
  }
  hand_on(weights, layer);
}

void Network::hand_on(const parts::Weights& weights, int layer) {
  const LayerAt& here = at(layer);
  if (layer + 1 < config().layers) {
    const View next = at(layer + 1).tokens;
    num::copy(here.output, next);
    architecture_.layers[static_cast<std::size_t>(layer)].mixer->forward(
        weights, next, here.mixer);
  }
}

View Network::scored_rows(View all) const {
  const int tokens = at(0).tokens.rows;
  const int rows = config().query_count(tokens);
  return {all.row(all.rows - rows), rows, all.cols, all.stride};
}

ConstView Network::read_out(const parts::Weights& weights) {
  return architecture_.readout.forward(
      weights, scored_rows(at(config().layers - 1).output), here_->workspace.readout);
}

ConstView Network::forward(const parts::Weights& weights,
                           const Input& input,
                           const std::optional<TrainingNoise>& noise) {
  begin(weights, input, noise);
  for (int l = 0; l < config().layers; ++l) {
    attend(weights, l);
    finish(weights, l);
  }
  return read_out(weights);
}

void Network::backward(const parts::Weights& weights,
                       ConstView dscores,
                       parts::Values& gradient) {
  Architecture::Workspace& here = here_->workspace;
  const View last = at(config().layers - 1).doutput;
  const View scored = scored_rows(last);
  if (scored.rows < last.rows) {
    num::fill(last, 0.0F);
  }
  architecture_.readout.backward(weights, dscores, scored, gradient, here.readout);
  for (int l = config().layers; l-- > 0;) {
    const LayerAt& layer = at(l);
    const auto& parts = architecture_.layers[static_cast<std::size_t>(l)];
    const View dx = l == 0 ? here.dtokens : at(l - 1).doutput;
    layer.attention->backward(weights, layer.unit, layer.doutput, dx, gradient);
    if (parts.norm) {
      parts.norm->backward(weights, dx, dx, gradient, layer.norm);
    }
    if (const int rows = residual(l).rows; rows > 0) {
      num::add(layer.doutput, {dx.row(dx.rows - rows), rows, dx.cols, dx.stride});
    }
    if (l > 0) {
      architecture_.layers[static_cast<std::size_t>(l) - 1].mixer->backward(
          weights, dx, gradient, at(l - 1).mixer);
    }
  }
  for (const int i : replaced_) {
    std::fill_n(here.dtokens.row(i), here.dtokens.cols, 0.0F);
  }
  if (architecture_.patches) {
    architecture_.patches->backward(weights, here.dtokens, gradient, here.patches);
  } else {
    architecture_.sequence->backward(
        weights, *input_, here.dtokens, gradient, here.sequence);
  }
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
