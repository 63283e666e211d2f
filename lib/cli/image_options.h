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

/// Adds --labels, --first, --fit, --invert, --index, --stride,
/// --coefficients and --levels.  `more` are additional values of --coefficients.
ImageChoice add_image_choice(App& app,
                             app::ImageOptions& options,
                             const std::vector<std::string>& more = {});
/// Adds --encoding, --penalty and --level-scale; returns the last option.
Option* add_levels(App& app, app::LevelOptions& options);
/// Adds --values and related options, which exclude those of models; returns --values.
Option* add_arrays(App& app,
                   app::ArrayOptions& options,
                   const std::vector<Option*>& of_models);
/// Adds --shard K/N.
void add_shard(App& app, app::ImageOptions& options);

}  // namespace oa::cli
