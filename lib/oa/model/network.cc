#include "oa/model/network.h"

#include "oa/base/error.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace oa::model {
namespace {

using num::ConstView;
using num::View;

std::string prefix(int layer) {
  return layer == 0 ? "" : "layers." + std::to_string(layer) + ".";
}

int input_width(const Config& config, int layer) {
  return layer == 0 ? config.token_width() : config.dim;
}

attention::Site site_of(const Config& config,
                        int layer,
                        const attention::SolverSettings& solver) {
  return {.prefix = prefix(layer),
          .tokens = config.tokens(),
          .queries = config.query_count(),
          .learned_queries = config.queries > 0,
          .width = input_width(config, layer),
          .dim = config.dim,
          .coefficients = config.coefficients,
          .normalization = config.normalization,
          .lambda = config.lambda,
          .value_scale = config.value_scale,
          .divide_output = config.divide_output,
          .solver = solver};
}

// The parts declare their tensors in the order in which an image meets them.
std::vector<std::unique_ptr<attention::Attention>> make_attention(
    const Config& config,
    const attention::SolverSettings& solver,
    std::vector<TokenMixer>& mixers,
    parts::Layout& layout) {
  const attention::Kind& kind = *attention::find_kind(config.attention);
  std::vector<std::unique_ptr<attention::Attention>> all;
  for (int l = 0; l < config.layers; ++l) {
    all.push_back(kind.make(site_of(config, l, solver), layout));
    if (l + 1 < config.layers) {
      mixers.emplace_back(config, prefix(l), layout);
    }
  }
  return all;
}

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
      layout(Network(c).layout()),
      values(layout) {}

Network::Network(const Config& config, const attention::SolverSettings& solver)
    : config_(config),
      solver_(solver),
      embedding_(config, layout_),
      attention_(make_attention(config_, solver_, mixers_, layout_)),
      readout_(config, layout_),
      output_(config.query_count(), config.dim),
      doutput_(config.query_count(), config.dim),
      dtokens_(config.tokens(), config.token_width()) {
  for (int l = 0; l < config.layers; ++l) {
    tokens_.emplace_back(config.tokens(), input_width(config, l));
  }
}

void Network::replace_tokens(const RandomTokens& random) {
  replaced_.clear();
  if (random.share == 0.0F) {
    return;
  }
  const View tokens = tokens_[0];
  double squares = 0.0;
  for (int i = 0; i < tokens.rows; ++i) {
    for (int k = 0; k < tokens.cols; ++k) {
      squares += static_cast<double>(tokens(i, k)) * static_cast<double>(tokens(i, k));
    }
  }
  const double size = std::sqrt(squares / (double{1} * tokens.rows * tokens.cols));
  Rng rng = random.rng;
  for (int i = 0; i < tokens.rows; ++i) {
    if (rng.uniform() >= static_cast<double>(random.share)) {
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
                                   const RandomTokens& random) {
  embedding_.forward(weights, image, tokens_[0]);
  replace_tokens(random);
  for (std::size_t l = 0; l < mixers_.size(); ++l) {
    attention_[l]->forward(weights, tokens_[l], tokens_[l + 1]);
    mixers_[l].forward(weights, tokens_[l + 1]);
  }
}

std::span<const float> Network::forward(const parts::Weights& weights,
                                        std::span<const float> image,
                                        const RandomTokens& random) {
  up_to_last_attention(weights, image, random);
  attention_.back()->forward(weights, tokens_.back(), output_);
  return readout_.forward(weights, output_);
}

void Network::backward(const parts::Weights& weights,
                       std::span<const float> dscores,
                       parts::Values& gradient) {
  readout_.backward(weights, dscores, doutput_, gradient);
  for (std::size_t l = attention_.size(); l-- > 0;) {
    const View dtokens = l == 0 ? dtokens_.view() : output_.view();
    attention_[l]->backward(weights, tokens_[l], doutput_, dtokens, gradient);
    if (l > 0) {
      num::copy(output_, doutput_);
      mixers_[l - 1].backward(weights, doutput_, gradient);
    }
  }
  for (const int i : replaced_) {
    std::fill_n(dtokens_.row(i), dtokens_.cols(), 0.0F);
  }
  embedding_.backward(weights, dtokens_, gradient);
}

const attention::Problem& Network::pose(const parts::Weights& weights,
                                        std::span<const float> image) {
  up_to_last_attention(weights, image, {});
  const attention::Problem* problem = attention_.back()->pose(weights, tokens_.back());
  assert(problem != nullptr);
  return *problem;
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
