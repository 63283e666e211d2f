#pragma once

#include "oa/io/output.h"
#include "oa/plot/scene.h"

#include <optional>
#include <string_view>

namespace oa::io {

enum class PictureFormat { Png, Svg, Pdf };

/// By the suffix of a file's name, .png, .svg or .pdf in any case; nothing if it has
/// none of these.
[[nodiscard]] std::optional<PictureFormat> picture_format(std::string_view path);

/// Writes the scene as a picture.  The same scene gives the same bytes: no time of day
/// and no font of the machine goes into them.
void write_picture(const plot::Scene& scene, PictureFormat format, Output& output);

}  // namespace oa::io
