#pragma once

#include "oa/plot/scene.h"

#include <optional>
#include <string>
#include <string_view>

namespace oa::io {

enum class PictureFormat { Png, Svg, Pdf, Eps };

enum class Theme { Light, Dark };

struct PictureSettings {
  Theme theme = Theme::Light;
  double width = 0.0;  ///< in millimetres; 0: a unit of the scene is 1/96 inch
  double dpi = 192.0;  ///< pixels of a PNG to an inch
};

/// By the suffix of a file's name, .png, .svg, .pdf or .eps in any case; nothing if it
/// has none of these.
[[nodiscard]] std::optional<PictureFormat> picture_format(std::string_view path);

/// The scene as a picture.  The same scene gives the same bytes: no time of day goes
/// into them, and a font of the machine only where ours lacks a sign.  Throws IoError
/// if no font has it.  Where memory is short cairo may take the process with it, or
/// wait for ever.
[[nodiscard]] std::string picture(const plot::Scene& scene,
                                  PictureFormat format,
                                  const PictureSettings& settings = {});

/// The same, drawn in a process of its own: whatever becomes of cairo, ours goes on.
/// Throws IoError where it crashes or waits for ever.  No other thread may draw.
[[nodiscard]] std::string picture_apart(const plot::Scene& scene,
                                        PictureFormat format,
                                        const PictureSettings& settings = {});

}  // namespace oa::io
