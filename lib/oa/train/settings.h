#pragma once

#include "oa/attention/site.h"
#include "oa/data/augment.h"
#include "oa/model/config.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace oa::train {

enum class RateSchedule : std::uint8_t { Constant, Cosine, Step };

/// The settings of a training.  A recipe has Settings and a model::Config.
struct Settings {
  int epochs = 50;
  int batch = 64;
  int parts = 8;       ///< parts of a batch, whose gradients are summed
  double rate = 4e-3;  ///< learning rate of Adam
  RateSchedule schedule = RateSchedule::Cosine;
  int warmup = 100;             ///< steps until `rate` is reached
  double weight_decay = 0.0;    ///< decoupled weight decay of matrices
  double clip = 0.0;            ///< limit of the gradient's norm; 0: no limit
  double smoothing = 0.0;       ///< label smoothing
  bool double_softmax = false;  ///< loss: cross-entropy of softmax(softmax(scores))
  double average = 0.0;         ///< decay per step of averaged weights; 0: no average
  Augmentation augmentation;
  double random_tokens = 0.0;  ///< share of tokens replaced by random ones
  int held_out = 5000;         ///< last training images, for choosing the best epoch
  attention::Backward backward = attention::Backward::Smoothed;
  bool exact = false;         ///< binary coefficients are optima, not rounded
  int max_nodes = 100'000;    ///< limit of a search for an optimum in training
  bool curriculum = false;    ///< coefficients are not binary in the first half
  double temperature = 0.05;  ///< of the smoothed gradient
  double tolerance = 1e-3;    ///< of the relaxation in training
  int admm_iterations = 50;   ///< for unrolled gradients and the lasso
  std::int64_t seed = 1;

  bool operator==(const Settings&) const = default;
};

/// Descriptions of all fields: name in metadata, command-line option, range.
[[nodiscard]] const FieldTable<Settings>& settings_fields();

/// Writes all fields as metadata: "oa.train.rate" -> "0.004".
[[nodiscard]] std::map<std::string, std::string> describe(const Settings& settings);

/// A recipe: the model and its training.
struct Recipe {
  model::Config model;
  Settings training;
};

/// "reference": the settings of the reproduction, with its flaws.
[[nodiscard]] Recipe reference_recipe();
/// "best": the best settings for digits.
[[nodiscard]] Recipe best_recipe();

/// The task, which determines the recipe.
struct TaskKind {
  std::string name{};  ///< name in oa-tasks, or "text", "sentences", "colours"
  int amounts = 1;     ///< how often a value can occur in a sum
  int overlaid = 0;    ///< number of averaged pictures; 0: no pictures
  bool own = false;    ///< user's own pictures, in a folder per class
};

/// Returns the recipe for a task that needs attention; empty for other tasks.
[[nodiscard]] std::optional<Recipe> task_recipe(const TaskKind& task);

/// Adapts a recipe to few examples: if it would make fewer than 2,000 steps,
/// batches become smaller and epochs more, up to 2,000 steps;
/// warm-up takes at most 0.1 of the steps.  Keeps fields with is_set(name in metadata).
/// `recipe` has the settings before options changed them.
void fit_to_few(int training_examples,
                const Settings& recipe,
                const std::function<bool(const char* key)>& is_set,
                Settings& settings);

/// The learning rate of step `step` (from 0) of `total` steps.
[[nodiscard]] double learning_rate(const Settings& settings,
                                   std::int64_t step,
                                   std::int64_t total);

}  // namespace oa::train

namespace oa {

template <>
struct EnumNames<train::RateSchedule> {
  static constexpr std::array kAll{"constant", "cosine", "step"};
};

}  // namespace oa
