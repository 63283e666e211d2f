#include "app/train/recipe.h"

#include "app/context.h"
#include "app/kind_text.h"
#include "oa/attention/kind_spec.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/train/effect.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace oa::app {
namespace {

constexpr const char* kWindow = "oa.patch";  // the window's side; default: the stride

train::Recipe recipe_named(const std::string& name) {
  return name == "reference" ? train::reference_recipe() : train::best_recipe();
}

void fit_to_pictures(const Dataset& data, model::Config& model) {
  if (model.window < model.stride || (model.window - model.stride) % 2 != 0) {
    throw UsageError("window",
                     " " + format(model.window) + " (expected the patch, " +
                         format(model.stride) + ", or an even number of pixels more)");
  }
  model.margin = (model.window - model.stride) / 2;
  model.rows = data.images.rows;
  model.cols = data.images.cols;
  model.channels = data.images.channels;
}

void fit_to_sequences(const Dataset& data, model::Config& model) {
  const Sequences& all = data.sequences;
  model.length = std::max(model.length, all.longest);
  for (const Sequences::Place& place : all.places) {
    model.length = std::max(model.length, place.length);
  }
  model.vocabulary = all.vocabulary;
  model.vector_width = all.width;
  model.asking = all.asking;
  model.alphabet = all.alphabet;
}

void fit_to_targets(const Dataset& data, model::Config& model) {
  model.objective = data.targets.objective;
  model.classes = std::max(model.classes, data.targets.classes);
  if (model.objective == Objective::Class && !data.labels.empty()) {
    model.classes =
        std::max(model.classes, 1 + int{*std::ranges::max_element(data.labels)});
  }
  if (model.objective == Objective::Cells && model.queries != data.targets.rows) {
    throw UsageError("queries",
                     " " + format(model.queries) + " (the targets have " +
                         format(data.targets.rows) + " classes to look for)");
  }
}

/// Refuses coefficients that layers cannot have as a wrong option.
void check_coefficients(const model::Config& model) {
  constexpr std::string_view kOption = "coefficients";
  const auto layers = model::attention_layers(model);
  for (int l = 0; l < model.layers; ++l) {
    const attention::KindSpec& spec = layers[static_cast<std::size_t>(l)];
    const std::string refused =
        spec.kind->refusal == nullptr
            ? std::string()
            : spec.kind->refusal(model::site_of(model, l, spec));
    if (refused.starts_with(kOption)) {
      throw UsageError(std::string(kOption), refused.substr(kOption.size()));
    }
  }
}

/// The option of a metadata key: "--lr" for "oa.train.rate"; nothing without option.
template <class S>
std::string option_of(const FieldTable<S>& table, const std::string& key) {
  const auto field = std::ranges::find(
      table.fields, key, [&](const Field<S>& f) { return table.key(f); });
  return field == table.fields.end() ? std::string{} : field->option_name();
}

/// Throws UsageError if a change has no effect.
void check_effects(const RecipeOptions& o, const train::Recipe& recipe) {
  for (const auto& [key, value] : o.changes) {
    const std::string refusal = train::refusal_without_effect(recipe, key, value);
    if (!refusal.empty()) {
      throw UsageError(setting_of(key), " " + value + " " + refusal);
    }
  }
}

}  // namespace

std::string setting_of(const std::string& key) {
  const std::string option =
      option_of(model::config_fields(), key) + option_of(train::settings_fields(), key);
  return option.empty() ? key : option.substr(2);
}

train::Recipe make_recipe(const RecipeOptions& o,
                          const Dataset& data,
                          int examples,
                          const train::TaskKind& task,
                          const model::Config* initial) {
  const auto given = [&](const char* key) { return o.changes.contains(key); };
  const train::TaskKind kind =
      data.images.channels > 1 ? train::TaskKind{.name = "colours"} : task;
  const auto for_task =
      o.recipe.empty() ? train::task_recipe(kind) : std::optional<train::Recipe>();
  train::Recipe recipe = for_task ? *for_task : recipe_named(o.recipe);
  const train::Settings chosen = recipe.training;
  model::Config& model = recipe.model;
  train::Settings& training = recipe.training;
  model.classes = 1;
  if (initial != nullptr) {
    model = *initial;
  }
  const int overlap = model.window - model.stride;
  const int stride = model.stride;
  model::config_fields().parse(o.changes, "model", model);
  train::settings_fields().parse(o.changes, "training", training);
  if (!model::agree_on_levels(given("oa.coefficients"), given("oa.levels"), model)) {
    throw UsageError("coefficients",
                     " levels needs levels (2 to " + format(kMaxLevels) + ")");
  }
  if (!given("oa.train.held_out")) {
    training.held_out = std::min(training.held_out, examples / 10);
  }
  if (task.own && o.recipe != "reference" && training.held_out < examples) {
    train::fit_to_few(examples - training.held_out, chosen, given, training);
  }
  model.causal = o.causal.value_or(model.causal);
  // Queries of a causal layer see different numbers of values: outputs are not divided.
  if (initial == nullptr && model.causal && !given("oa.divide_output")) {
    model.divide_output = false;
  }
  model.attention = with_files_read(model.attention);
  if (!o.keys.empty()) {
    model.attention = with_keys(model.attention, o.keys);
  }
  if (o.loops) {
    model.attention = with_loops(model.attention, static_cast<int>(*o.loops));
  }
  if (o.heads) {
    model.attention =
        with_heads(model.attention, static_cast<int>(*o.heads), !given("oa.attention"));
  }
  if (const auto kinds = attention::parse_kind_specs(model.attention, "attention");
      kinds.size() > 1 && !given("oa.layers")) {
    model.layers = static_cast<int>(std::ssize(kinds));
  }
  if (!given(kWindow)) {
    model.window = model.stride + model.stride * overlap / stride / 2 * 2;
  }
  if (data.has_sequences()) {
    fit_to_sequences(data, model);
  } else {
    fit_to_pictures(data, model);
  }
  fit_to_targets(data, model);
  // The recipe's isometric map is for a single head with shared keys wide enough.
  const bool other_maps = o.heads || !o.keys.empty() || model.vector_width > model.dim;
  if (other_maps && initial == nullptr && !given("oa.attention")) {
    model.attention = without_isometric(model.attention);
  }
  // The reference's binarised model has no gradient, because it uses a threshold.
  // The reference's continuous model is differentiated through a converged ADMM.
  if (o.recipe == "reference" && model.coefficients != Coefficients::Binary &&
      !given("oa.train.gradient")) {
    training.backward = attention::Backward::Implicit;
  }
  // Learned queries, unlike patches, may specialise.
  if (initial == nullptr && o.recipe != "reference" && model.queries > 0 &&
      !given("oa.pooling")) {
    model.pooling = model::Pooling::Concat;
  }
  check_coefficients(model);
  model::check(model, "model");
  check_effects(o, recipe);
  if (training.held_out >= examples) {
    throw InputError(format(training.held_out) +
                     " held-out examples leave none of the " + format(examples) +
                     " training examples");
  }
  return recipe;
}

}  // namespace oa::app
