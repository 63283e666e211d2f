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

/// --resume, --checkpoint, --log, --csv, --tensorboard; returns the first.
Option* add_training_files(App& app, app::TrainingFiles& files);

/// The seeds of --seeds, or `seed` alone.  Throws UsageError for more than 1,000.
[[nodiscard]] std::vector<std::int64_t> seeds_of(const std::optional<IndexSet>& seeds,
                                                 std::uint64_t seed);

/// Whether --resume and --epochs 0 ask for the best model of a checkpoint, without any
/// training.
[[nodiscard]] bool asks_for_best(const app::RecipeOptions& recipe,
                                 const app::TrainingFiles& files);

/// Throws UsageError if the model and a file of the training have the same name: one
/// would replace the other.
void check_distinct(const app::TrainingFiles& files, const std::string& model);

/// Throws UsageError if an option was given that has no effect without a training.
void check_asks_for_best(const App& app);

}  // namespace oa::cli
