#include "oa/model/architecture.h"

#include <string>

namespace oa::model {
namespace {

int input_width(const Config& config, int layer) {
  return layer == 0 ? config.token_width() : config.dim;
}

attention::Site site_of(const Config& config,
                        int layer,
                        const attention::KindSpec& spec,
                        const attention::SolverSettings& solver) {
  return {.prefix = layer_prefix(layer),
          .tokens = config.tokens(),
          .grid_cols = config.grid_cols(),
          .learned_queries = config.queries,
          .width = input_width(config, layer),
          .dim = config.dim,
          .options = spec.options,
          .coefficients = config.coefficients,
          .normalization = config.normalization,
          .lambda = config.lambda,
          .value_scale = config.value_scale,
          .divide_output = config.divide_output,
          .solver = solver};
}

std::vector<Architecture::Layer> declare_layers(const Config& config,
                                                const attention::SolverSettings& solver,
                                                parts::Layout& layout) {
  const std::vector<attention::KindSpec> kinds = attention_layers(config);
  std::vector<Architecture::Layer> all;
  for (int l = 0; l < config.layers; ++l) {
    const attention::KindSpec& spec = kinds[static_cast<std::size_t>(l)];
    const attention::Site site = site_of(config, l, spec, solver);
    auto& layer = all.emplace_back();
    layer.attention = spec.kind->declare(site, layout);
    if (l + 1 < config.layers) {
      layer.mixer.emplace(config, layer_prefix(l), layout);
    }
  }
  return all;
}

}  // namespace

std::string layer_prefix(int layer) {
  return layer == 0 ? "" : "layers." + std::to_string(layer) + ".";
}

Architecture::Architecture(const Config& c, const attention::SolverSettings& solver)
    : config(c),
      embedding(config, layout),
      layers(declare_layers(config, solver, layout)),
      readout(config, layout) {}

parts::Cost Architecture::cost() const {
  parts::Cost cost = embedding.cost() + readout.cost();
  for (const Layer& layer : layers) {
    cost += layer.attention->cost(attention::Batch::of_one(config.tokens()));
    if (layer.mixer) {
      cost += layer.mixer->cost();
    }
  }
  // A network takes all from one arena.
  cost.saved = 0;
  cost.workspace = bytes_taken([&](Arena& arena) { return workspace(arena); });
  return cost;
}

Architecture::Workspace Architecture::workspace(Arena& arena) const {
  Workspace all;
  all.embedding = embedding.workspace(arena);
  for (int l = 0; l < config.layers; ++l) {
    const Layer& layer = layers[static_cast<std::size_t>(l)];
    auto& to = all.layers.emplace_back();
    to.tokens = num::zeros(config.tokens(), input_width(config, l), arena);
    to.attention = layer.attention->make(attention::Batch::of_one(config.tokens()),
                                         {.kept = arena, .scratch = arena});
    if (layer.mixer) {
      to.mixer = layer.mixer->workspace(arena);
    }
  }
  all.readout = readout.workspace(arena);
  all.output = num::zeros(config.query_count(), config.dim, arena);
  all.doutput = num::zeros(config.query_count(), config.dim, arena);
  all.dtokens = num::zeros(config.tokens(), config.token_width(), arena);
  return all;
}

}  // namespace oa::model
