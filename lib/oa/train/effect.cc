#include "oa/train/effect.h"

#include "oa/attention/kind_spec.h"
#include "oa/base/number.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace oa::train {
namespace {

using attention::Backward;
using attention::KindSpec;

bool takes_pictures(const Recipe& r) {
  return !r.model.takes_sequences();
}

bool takes_pictures_or_vectors(const Recipe& r) {
  return takes_pictures(r) || r.model.vector_width > 0;
}

bool has_one_class(const Recipe& r) {
  return r.model.objective == Objective::Class;
}

bool rounds_coefficients(const Recipe& r) {
  return r.model.coefficients == Coefficients::Binary ||
         r.model.coefficients == Coefficients::Levels;
}

bool iterates(const Recipe& r) {
  return r.model.coefficients == Coefficients::Lasso ||
         r.training.backward == Backward::Unrolled;
}

/// Marginals have an exact gradient.
bool has_marginals(const Recipe& r) {
  return r.model.coefficients == Coefficients::Marginal;
}

bool any_layer(const Recipe& r, bool (*holds)(const KindSpec& layer)) {
  return std::ranges::any_of(model::attention_layers(r.model), holds);
}

bool normalizes_so(const Recipe& r) {
  const std::vector<KindSpec> layers = model::attention_layers(r.model);
  for (int l = 0; l < r.model.layers; ++l) {
    const KindSpec& layer = layers[static_cast<std::size_t>(l)];
    if (attention::reads_setting(*layer.kind, layer.options, "normalization") &&
        model::weights_of(r.model, l) == r.model.normalization) {
      return true;
    }
  }
  return false;
}

/// A field, and what a recipe needs for the field to have an effect.
struct Need {
  std::string_view key;
  bool (*met)(const Recipe& r);
  std::string_view expected;
};

constexpr std::array kNeeds{
    Need{"oa.stride", takes_pictures, "images"},
    Need{"oa.patch", takes_pictures, "images"},
    Need{"oa.patch_norm", takes_pictures, "images"},
    Need{"oa.train.shift", takes_pictures, "images"},
    Need{"oa.train.rotate", takes_pictures, "images"},
    Need{"oa.train.scale", takes_pictures, "images"},
    Need{"oa.train.shear", takes_pictures, "images"},
    Need{"oa.train.mirror", takes_pictures, "images"},
    Need{"oa.embedding", takes_pictures_or_vectors, "images or vectors"},
    Need{"oa.pooling", has_one_class, "data with a class for each example"},
    Need{"oa.train.smoothing", has_one_class, "data with a class for each example"},
    Need{
        "oa.train.double_softmax", has_one_class, "data with a class for each example"},
    Need{"oa.query_positions",
         [](const Recipe& r) { return r.model.token_mlp > 0; },
         "--token-mlp above 0"},
    Need{"oa.positions",
         [](const Recipe& r) {
           return r.model.takes_sequences() ||
                  any_layer(r, [](const KindSpec& k) { return k.kind->positions; });
         },
         "a kind of attention that mixes tokens"},
    Need{"oa.normalization",
         normalizes_so,
         "capped or none, or attention optimizing:keys=paper"},
    Need{"oa.train.exact", rounds_coefficients, "--coefficients binary or levels"},
    Need{"oa.train.max_nodes",
         [](const Recipe& r) { return rounds_coefficients(r) && r.training.exact; },
         "--exact true"},
    Need{"oa.train.temperature",
         [](const Recipe& r) {
           return r.training.backward == Backward::Smoothed &&
                  r.model.coefficients != Coefficients::Lasso;
         },
         "--gradient smoothed, and coefficients other than those of the lasso"},
    Need{"oa.train.tolerance",
         [](const Recipe& r) {
           return (!iterates(r) || r.training.curriculum) && !has_marginals(r);
         },
         "neither --gradient unrolled nor --coefficients lasso or marginal"},
    Need{"oa.train.gradient",
         [](const Recipe& r) { return !has_marginals(r); },
         "coefficients other than marginal"},
    Need{"oa.train.curriculum",
         [](const Recipe& r) { return !has_marginals(r); },
         "coefficients other than marginal"},
    Need{"oa.train.admm_iterations",
         iterates,
         "--gradient unrolled or --coefficients lasso"},
};

bool asks_for_nothing(const std::string& value) {
  return value == "false" || parse_double(value) == 0.0;
}

}  // namespace

std::string refusal_without_effect(const Recipe& recipe,
                                   const std::string& key,
                                   const std::string& value) {
  if (asks_for_nothing(value)) {
    return {};
  }
  const std::string_view name = std::string_view(key).substr(key.rfind('.') + 1);
  const std::vector<KindSpec> layers = model::attention_layers(recipe.model);
  const std::string readers = attention::readers_of(name);
  const bool read = std::ranges::any_of(layers, [&](const KindSpec& layer) {
    return attention::reads_setting(*layer.kind, layer.options, name);
  });
  if (!readers.empty() && !read) {
    return "has no effect with attention '" + attention::text_of(layers) +
           "' (expected " + readers + ")";
  }
  const auto need = std::ranges::find(kNeeds, key, &Need::key);
  return need == kNeeds.end() || need->met(recipe)
             ? std::string{}
             : "has no effect (expected " + std::string(need->expected) + ")";
}

}  // namespace oa::train
