#pragma once

#include "app/images.h"
#include "app/pose/array_problems.h"
#include "app/pose/level_posing.h"
#include "cli/parser.h"

#include <vector>

namespace oa::cli {

/// The options of add_image_choice().
struct ImageChoice {
  Option* labels;
  Option* first;
  Option* fit;
  Option* invert;
  Option* index;
  Option* stride;
  Option* coefficients;
  Option* levels;
};

/// --labels, --first, --fit, --invert, --index, --stride, --coefficients, --levels.
/// `more` are values of --coefficients beside those of models.
ImageChoice add_image_choice(App& app,
                             app::ImageOptions& options,
                             const std::vector<std::string>& more = {});
/// --encoding, --penalty, --level-scale.  Returns the last.
Option* add_levels(App& app, app::LevelOptions& options);
/// --values and options that need it.  Options of models exclude it.  Returns it.
Option* add_arrays(App& app,
                   app::ArrayOptions& options,
                   const std::vector<Option*>& of_models);
/// --shard K/N.
void add_shard(App& app, app::ImageOptions& options);

}  // namespace oa::cli
