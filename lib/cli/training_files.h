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

/// --resume, --checkpoint, --log, --csv, --tensorboard.  Returns --resume.
Option* add_training_files(App& app, app::TrainingFiles& files);

/// The seeds of --seeds, or `seed` alone.  Throws UsageError for more than 1,000.
[[nodiscard]] std::vector<std::int64_t> seeds_of(const std::optional<IndexSet>& seeds,
                                                 std::uint64_t seed);

/// True if --resume and --epochs 0 ask for the best model of a checkpoint.
[[nodiscard]] bool asks_for_best(const app::RecipeOptions& recipe,
                                 const app::TrainingFiles& files);

/// Throws UsageError if the model or a file of the training would replace another.
void check_distinct(const app::TrainingFiles& files, const std::string& model);

/// Throws UsageError if a given option has no effect without training.
void check_asks_for_best(const App& app);

}  // namespace oa::cli
