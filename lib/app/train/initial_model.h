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

/// "0.25" -> "25.00 %"
[[nodiscard]] std::string percent(double share);

/// FNV-1a: a checkpoint belongs to the data and the model it was made of.
[[nodiscard]] std::string fingerprint(
    std::initializer_list<std::span<const std::uint8_t>> parts);

/// Where a training begins, as the command line says it.
struct InitialOptions {
  std::string file;                       ///< a model; empty: drawn parameters
  std::optional<model::Sharing> convert;  ///< how its heads come to share keys
  std::int64_t mixing = 0;                ///< in so many steps; 0: at once
};

/// A model that was trained before, made to fit what is trained now.
struct InitialModel {
  struct Stage {
    std::string name;  ///< "initial", "converted"
    train::Evaluation evaluation;
  };

  train::Start start;
  std::vector<Stage> stages;  ///< on the held-out images, or if there are none, tests
  io::Metadata identity;      ///< what a resumed training must have in common

  [[nodiscard]] double accuracy() const;
  /// A line for each stage.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] JsonObject json() const;
};

/// What is asked of the data of a training before it begins.
struct InitialData {
  const Dataset& like;  ///< examples like those that are trained on
  int training = 0;     ///< how many these are
  /// train::input_moments() of the first so many of them.
  std::function<std::vector<model::Moments>(const model::Model&, int examples)> moments;
  /// On the held-out examples, or if there are none on the test examples.
  std::function<train::Evaluation(const model::Model&)> evaluate;
};

/// What says that two trainings begin alike: the model that `options.file` holds, and
/// what becomes of it.
[[nodiscard]] io::Metadata identity_of(const InitialOptions& options,
                                       const model::Model& model);

/// `model` is what `options.file` holds.  Throws InputError, which names the file, if
/// the model cannot become one of the recipe.
[[nodiscard]] InitialModel prepare(const InitialOptions& options,
                                   const model::Model& model,
                                   const train::Recipe& recipe,
                                   const InitialData& data);

}  // namespace oa::app
