#pragma once

#include "oa/plot/scene.h"

#include <optional>
#include <string>
#include <string_view>

namespace oa::io {

enum class PictureFormat { Png, Svg, Pdf };

/// By the suffix of a file's name, .png, .svg or .pdf in any case; nothing if it has
/// none of these.
[[nodiscard]] std::optional<PictureFormat> picture_format(std::string_view path);

/// The scene as a picture.  The same scene gives the same bytes: no time of day and no
/// font of the machine goes into them.  Where memory is short cairo may take the
/// process with it, or wait for ever.
[[nodiscard]] std::string picture(const plot::Scene& scene, PictureFormat format);

/// The same, drawn in a process of its own: whatever becomes of cairo, ours goes on.
/// Throws IoError where it crashes or waits for ever.  No other thread may draw.
[[nodiscard]] std::string picture_apart(const plot::Scene& scene, PictureFormat format);

}  // namespace oa::io
