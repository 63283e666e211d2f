#pragma once

#include "app/images.h"
#include "app/pose/level_posing.h"
#include "cli/parser.h"

#include <vector>

namespace oa::cli {

/// IMAGES, and what add_image_choice() adds.
void add_images(App& app, app::ImageOptions& options);
/// --labels, --first, --fit, --invert, --index, --stride, --coefficients, --levels.
std::vector<Option*> add_image_choice(App& app, app::ImageOptions& options);
/// --encoding, --penalty, --level-scale.
void add_levels(App& app, app::LevelOptions& options);
/// --shard K/N.
void add_shard(App& app, app::ImageOptions& options);

}  // namespace oa::cli
