#pragma once

#include "app/train/models.h"
#include "app/train/recipe.h"
#include "cli/options.h"
#include "oa/base/index_set.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::cli {

/// Adds --resume, --checkpoint, --log, --csv and --tensorboard; returns --resume.
Option* add_training_files(App& app, app::TrainingFiles& files);

/// The seeds of --seeds, or only `seed`.  Throws UsageError for more than 1,000 seeds.
[[nodiscard]] std::vector<std::int64_t> seeds_of(const std::optional<IndexSet>& seeds,
                                                 std::uint64_t seed);

/// True for --resume with --epochs 0: write the best model of a checkpoint.
[[nodiscard]] bool asks_for_best(const app::RecipeOptions& recipe,
                                 const app::TrainingFiles& files);

/// Throws UsageError if the model and files of the training are not distinct.
void check_distinct(const app::TrainingFiles& files, const std::string& model);

/// Throws UsageError if a given option needs a training to have an effect.
void check_asks_for_best(const App& app);

}  // namespace oa::cli
