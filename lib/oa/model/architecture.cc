#include "oa/model/architecture.h"

namespace oa::model {
namespace {

std::vector<Architecture::Layer> declare_layers(const Config& config,
                                                const attention::SolverSettings& solver,
                                                parts::Layout& layout) {
  const std::vector<attention::KindSpec> kinds = attention_layers(config);
  std::vector<Architecture::Layer> all;
  for (int l = 0; l < config.layers; ++l) {
    const attention::KindSpec& spec = kinds[static_cast<std::size_t>(l)];
    attention::Site site = site_of(config, l, spec);
    site.solver = solver;
    auto& layer = all.emplace_back();
    if (config.residual) {
      layer.norm.emplace(layout, layer_prefix(l) + "norm", site.width);
    }
    layer.attention = spec.kind->declare(site, layout);
    layer.asking = site.asking;
    if (l + 1 < config.layers) {
      layer.mixer.emplace(config, layer_prefix(l), config.tokens(), layout);
    }
  }
  return all;
}

}  // namespace

Architecture::Architecture(const Config& c, const attention::SolverSettings& solver)
    : config(c),
      patches(c.takes_sequences() ? std::nullopt
                                  : std::make_optional<PatchEmbedding>(c, layout)),
      sequence(c.takes_sequences() ? std::make_optional<SequenceEmbedding>(c, layout)
                                   : std::nullopt),
      layers(declare_layers(config, solver, layout)),
      readout(config, layout) {}

int Architecture::output_rows(int layer, int tokens) const {
  const Layer& at = layers[static_cast<std::size_t>(layer)];
  if (layer + 1 == config.layers && config.queries > 0) {
    return config.queries;
  }
  return at.asking > 0 ? at.asking : tokens;
}

parts::Cost Architecture::cost(int tokens) const {
  parts::Cost cost = patches ? patches->cost() : sequence->cost(tokens);
  cost += readout.cost(config.query_count(tokens));
  for (const Layer& layer : layers) {
    cost += layer.attention->cost(attention::Batch::of_one(tokens));
    if (layer.norm) {
      cost += layer.norm->cost(tokens);
    }
    if (layer.mixer) {
      cost += layer.mixer->cost(tokens);
    }
  }
  // A network has all of its memory in one arena.
  cost.saved = 0;
  cost.workspace = bytes_taken([&](Arena& arena) { return workspace(tokens, arena); });
  return cost;
}

Architecture::Workspace Architecture::workspace(int tokens, Arena& arena) const {
  Workspace all;
  if (patches) {
    all.patches = patches->workspace(arena);
  } else {
    all.sequence = sequence->workspace(tokens, arena);
  }
  for (int l = 0; l < config.layers; ++l) {
    const Layer& layer = layers[static_cast<std::size_t>(l)];
    const int width = l == 0 ? config.token_width() : config.dim;
    auto& to = all.layers.emplace_back();
    to.tokens = num::zeros(tokens, width, arena);
    to.unit = to.tokens;
    if (layer.norm) {
      to.unit = num::zeros(tokens, width, arena);
      to.norm = layer.norm->workspace(tokens, arena);
    }
    to.attention = layer.attention->make(attention::Batch::of_one(tokens),
                                         {.kept = arena, .scratch = arena});
    to.output = num::zeros(output_rows(l, tokens), config.dim, arena);
    to.doutput = num::zeros(output_rows(l, tokens), config.dim, arena);
    if (layer.mixer) {
      to.mixer = layer.mixer->workspace(tokens, arena);
    }
  }
  all.readout = readout.workspace(config.query_count(tokens), arena);
  all.dtokens = num::zeros(tokens, config.token_width(), arena);
  return all;
}

}  // namespace oa::model
