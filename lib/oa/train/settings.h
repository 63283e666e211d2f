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

/// How a model is trained.  A recipe is a model::Config and one of these.
struct Settings {
  int epochs = 50;
  int batch = 64;
  int parts = 8;       ///< in which the gradient of a batch is summed
  double rate = 4e-3;  ///< Adam's
  RateSchedule schedule = RateSchedule::Cosine;
  int warmup = 100;             ///< steps until `rate` is reached
  double weight_decay = 0.0;    ///< decoupled, on matrices
  double clip = 0.0;            ///< of the gradient's norm; 0: none
  double smoothing = 0.0;       ///< of the labels
  bool double_softmax = false;  ///< cross-entropy of softmax(softmax(scores))
  double average = 0.0;         ///< decay per step of the averaged weights; 0: none
  Augmentation augmentation;
  double random_tokens = 0.0;  ///< share of tokens that are replaced by random ones
  int held_out = 5000;  ///< last images of the training set, to choose the best epoch
  attention::Backward backward = attention::Backward::Smoothed;
  bool exact = false;         ///< binary coefficients are optima instead of rounded
  bool curriculum = false;    ///< in the first half coefficients are not binary yet
  double temperature = 0.05;  ///< of the smoothed gradient
  double tolerance = 1e-3;    ///< of the relaxation while training
  int admm_iterations = 50;   ///< of unrolled gradients and the LASSO
  std::int64_t seed = 1;

  bool operator==(const Settings&) const = default;
};

/// Every field once: name in metadata, option of the command line, range.
[[nodiscard]] const FieldTable<Settings>& settings_fields();

/// As metadata, "oa.train.rate" -> "0.004"; every field.
[[nodiscard]] std::map<std::string, std::string> describe(const Settings& settings);

/// A recipe by name: what the model is like and how it is trained.
struct Recipe {
  model::Config model;
  Settings training;
};

/// "reference": as the reproduction trains, its flaws included.
[[nodiscard]] Recipe reference_recipe();
/// "best": ours.
[[nodiscard]] Recipe best_recipe();

/// What a recipe is chosen by.
struct TaskKind {
  std::string name{};  ///< as oa-tasks names it, "text", "sentences" or "colours"
  int amounts = 1;     ///< how often a value may be in a sum, at most
  int overlaid = 0;    ///< pictures in a sum, which is their mean; 0: no pictures
  bool own = false;    ///< pictures of one's own, in folders of their classes
};

/// Ours for a task that needs attention; nothing for others.
[[nodiscard]] std::optional<Recipe> task_recipe(const TaskKind& task);

/// Fits a recipe to few examples.  One that would make fewer than 2,000 steps gets
/// smaller batches, and so many epochs that it makes 2,000; the rate rises in a tenth
/// of the steps at most.  Fields that is_set() names as in metadata stay.  `recipe`
/// are the settings before options changed them.
void fit_to_few(int training_examples,
                const Settings& recipe,
                const std::function<bool(const char* key)>& is_set,
                Settings& settings);

/// The learning rate of step `step` (from 0) of `total`.
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
