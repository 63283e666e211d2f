#pragma once

#include "oa/base/json_text.h"
#include "oa/io/tensor/safetensors.h"
#include "oa/train/trainer.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace oa::app {

/// Formats 0.25 as "25.00 %".
[[nodiscard]] std::string percent(double share);

/// Returns the FNV-1a hash of `parts`, which identifies a checkpoint's data and model.
[[nodiscard]] std::string fingerprint(
    std::initializer_list<std::span<const std::uint8_t>> parts);

/// The model that a training starts from.
struct InitialOptions {
  std::string file;                       ///< empty: random parameters
  std::optional<model::Sharing> convert;  ///< how heads are converted to shared keys
  std::int64_t mixing = 0;                ///< steps of the conversion; 0: one jump
};

/// A trained model that was converted to the recipe.
struct InitialModel {
  struct Stage {
    std::string name;  ///< "initial", "converted"
    train::Evaluation evaluation;
  };

  train::Start start;
  std::vector<Stage> stages;  ///< evaluated on held-out images, else on test images
  io::Metadata identity;      ///< must be equal when a training is resumed

  [[nodiscard]] double accuracy() const;
  /// A line for each stage.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] JsonObject json() const;
};

/// Access to the training data, for preparing a model.
struct InitialData {
  const Dataset& like;  ///< examples of the same sizes
  int training = 0;     ///< number of training examples
  /// train::input_moments() of the first `examples` training examples.
  std::function<std::vector<model::Moments>(const model::Model&, int examples)> moments;
  /// Evaluates on held-out examples or, without them, on test examples.
  std::function<train::Evaluation(const model::Model&)> evaluate;
};

/// Identifies the start of a training: its model file and its conversion.
[[nodiscard]] io::Metadata identity_of(const InitialOptions& options,
                                       const model::Model& model);

/// Converts `model`, which was read from `options.file`, to the recipe.
/// Throws InputError, which names the file, if this is impossible.
[[nodiscard]] InitialModel prepare(const InitialOptions& options,
                                   const model::Model& model,
                                   const train::Recipe& recipe,
                                   const InitialData& data);

}  // namespace oa::app
