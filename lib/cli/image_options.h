#pragma once

#include "app/images.h"
#include "app/level_posing.h"
#include "cli/parser.h"

namespace oa::cli {

/// IMAGES, and what add_image_choice() adds.
void add_images(App& app, app::ImageOptions& options);
/// --labels, --first, --index, --stride, --coefficients, --levels.
void add_image_choice(App& app, app::ImageOptions& options);
/// --encoding, --penalty, --level-scale.
void add_levels(App& app, app::LevelOptions& options);
/// --shard K/N.
void add_shard(App& app, app::ImageOptions& options);

}  // namespace oa::cli
