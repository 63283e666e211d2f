// Computes attention weights for figures, for kinds that pose no problems.
#include "app/figure/sources.h"
#include "app/figure/tokens.h"
#include "app/images.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/train/source.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace oa::app {
namespace {

/// The wanted layer, or the last.
/// Throws InputError if it is missing or poses problems.
int layer_in(const ModelMap& wanted, const model::Config& config) {
  const auto layer = wanted.layer.value_or(config.layers - 1);
  if (layer >= config.layers) {
    throw InputError(wanted.model + ": there is no layer " + format(layer) +
                     " (the model has " + format(config.layers) + ", counted from 0)");
  }
  const auto kinds = model::attention_layers(config);
  if (kinds[static_cast<std::size_t>(layer)].kind->has_problem) {
    throw InputError(wanted.model +
                     ": its attention poses problems (draw their solutions: "
                     "oa-qubo MODEL DATA | oa-anneal | oa-heatmap sparsity)");
  }
  return static_cast<int>(layer);
}

/// Makes a model's maps for examples, one by one.
class WeightMaps {
 public:
  WeightMaps(const ModelMap& wanted, Context& context)
      : wanted_(wanted),
        loaded_(read_model(wanted.model, {.images = wanted.data})),
        model_(loaded_.model),
        layer_(layer_in(wanted, model_.config)),
        source_({.images = wanted.data}, model_.config, context),
        examples_(source_.data()),
        weights_(model_.layout),
        network_(model_.config, solver_of(loaded_.exact)) {
    weights_.set(model_.values);
  }

  [[nodiscard]] std::int64_t size() const { return source_.size(); }
  [[nodiscard]] const model::Config& config() const { return model_.config; }
  [[nodiscard]] const ExampleSource& source() const { return source_; }

  [[nodiscard]] plot::SparsityMap map(std::int64_t k) {
    network_.begin(weights_, examples_.example(source_.index(k)).input);
    for (int l = 0; l < layer_; ++l) {
      network_.attend(weights_, l);
      network_.finish(weights_, l);
    }
    network_.attend(weights_, layer_);
    plot::SparsityMap map = map_of(network_.attention(layer_).value_weights());
    map.index = source_.index(k);
    map.label = source_.label(k);
    return map;
  }

 private:
  [[nodiscard]] plot::SparsityMap map_of(const std::vector<num::Matrix>& heads) const {
    if (heads.empty()) {
      throw InputError(wanted_.model + ": attention '" + model_.config.attention +
                       "' has no weights that could be drawn (expected softmax, a kind "
                       "that computes it or uniform)");
    }
    if (wanted_.head >= std::ssize(heads)) {
      throw InputError(wanted_.model + ": there is no head " + format(wanted_.head) +
                       " (the layer has " + format(std::ssize(heads)) +
                       ", counted from 0)");
    }
    const num::Matrix& weights = heads[static_cast<std::size_t>(wanted_.head)];
    plot::SparsityMap map;
    map.n = weights.rows();
    map.m = weights.cols();
    map.head = wanted_.head;
    map.heads = static_cast<int>(heads.size());
    map.binary = false;
    map.weights = true;
    for (int i = 0; i < map.n; ++i) {
      map.value.insert(map.value.end(), weights.row(i), weights.row(i) + map.m);
      if (model_.config.causal) {
        map.sizes.push_back(std::min(i + 1, map.m));
      }
    }
    return map;
  }

  const ModelMap& wanted_;
  LoadedModel loaded_;
  const model::Model& model_;
  int layer_;
  ExampleSource source_;
  train::Source examples_;
  parts::Weights weights_;
  model::Network network_;
};

}  // namespace

plot::SparsityMap read_model_map(const ModelMap& wanted, Context& context) {
  WeightMaps maps(wanted, context);
  const std::int64_t k = wanted.image.value_or(0);
  if (k >= maps.size()) {
    throw InputError(wanted.data + ": no example " + format(k) + " (it has " +
                     format(maps.size()) + ")");
  }
  plot::SparsityMap map = maps.map(k);
  name_tokens(maps.source().data(), maps.config(), maps.source().index(k), map);
  return map;
}

plot::SparsityMap read_model_mean(const ModelMap& wanted, Context& context) {
  WeightMaps maps(wanted, context);
  plot::SparsityMap sum;
  sum.images = 0;
  context.progress().start("images", maps.size());
  for (std::int64_t k = 0; k < maps.size() && !context.interrupted(); ++k) {
    add_to_mean(maps.map(k), wanted.data + ": example " + format(k), sum);
    context.progress().advance(1);
  }
  context.progress().finish();
  finish_mean(sum);
  return sum;
}

}  // namespace oa::app
