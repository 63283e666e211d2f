#pragma once

#include "oa/base/json_text.h"
#include "oa/io/tensor/safetensors.h"
#include "oa/train/trainer.h"

#include <cstdint>
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

/// `model` is what `options.file` holds.  `test` may be empty.  Throws InputError,
/// which names the file, if the model cannot become one of the recipe.
[[nodiscard]] InitialModel prepare(const InitialOptions& options,
                                   const model::Model& model,
                                   const train::Recipe& recipe,
                                   const Dataset& train,
                                   const Dataset& test,
                                   int threads);

}  // namespace oa::app
