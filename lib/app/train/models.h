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
  bool name_seeds = false;  ///< in the names of models and checkpoints
  TrainingFiles files;
  InitialOptions initial;
  bool test = false;  ///< evaluates the test examples too

  /// What is selected of a split.
  std::function<Dataset(Split split, const Selection& selection)> read;
  /// For so many examples like those of `data`; `initial` is the model that the
  /// training begins with, if there is one.
  std::function<train::Recipe(
      const Dataset& data, int examples, const model::Config* initial)>
      recipe;
  /// The names of the classes, kept with each model; empty: they have none.
  std::function<std::string()> classes;
};

/// Trains, writes the models to common.output and says how it went.  Several processes
/// that were started together train each model together.
[[nodiscard]] Exit train_models(const TrainRequest& request,
                                const Common& common,
                                Context& context);

}  // namespace oa::app
