#pragma once

#include "app/train/examples.h"
#include "app/train/initial_model.h"
#include "app/train/recipe.h"
#include "cli/options.h"

namespace oa::cli {

/// Adds --recipe and an option for each setting of a recipe.
void add_recipe(App& app, app::RecipeOptions& options);

/// Adds --init, --convert and --mixing.
void add_initial(App& app, app::InitialOptions& options);

/// Adds DATA and other options for training and test data.
void add_data(App& app, app::DataOptions& options);

}  // namespace oa::cli
