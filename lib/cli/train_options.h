#pragma once

#include "app/train/examples.h"
#include "app/train/initial_model.h"
#include "app/train/recipe.h"
#include "cli/options.h"

namespace oa::cli {

/// --recipe and an option for every choice of a recipe.
void add_recipe(App& app, app::RecipeOptions& options);

/// --init, --convert and --mixing.
void add_initial(App& app, app::InitialOptions& options);

/// DATA and other options for training and test data.
void add_data(App& app, app::DataOptions& options);

}  // namespace oa::cli
