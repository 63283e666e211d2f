#pragma once

#include "app/context.h"
#include "app/train/initial_model.h"
#include "app/train/training.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace oa::app {

/// Models to train on the same data, one for each seed.
struct TrainRequest {
  std::vector<std::int64_t> seeds;
  bool name_seeds = false;  ///< add the seed to names of models and checkpoints
  TrainingFiles files;
  InitialOptions initial;
  bool test = false;  ///< also evaluate the test examples

  /// Reads the selected examples of a split.
  std::function<Dataset(Split split, const Selection& selection)> read;
  /// Makes the recipe for `examples` examples like `data`.
  /// `initial` is the model to start from, or null.
  std::function<train::Recipe(
      const Dataset& data, int examples, const model::Config* initial)>
      recipe;
  /// Returns the names of the classes, or empty text.
  std::function<std::string()> classes;
};

/// Trains the models, writes them to context.common().output and prints a summary.
/// Several ranks train each model together.
[[nodiscard]] Exit train_models(const TrainRequest& request, Context& context);

/// Copies the best epoch's model from the checkpoint at `path` to
/// context.common().output, with the bytes that the training would write if it ended
/// there.  Throws InputError if no epoch has ended.
[[nodiscard]] Exit write_best_model(const std::string& path, Context& context);

}  // namespace oa::app
