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
  double dpi = 192.0;  ///< pixels of a PNG per inch
};

/// The format by the suffix .png, .svg, .pdf or .eps, in any case; nothing for other
/// names.
[[nodiscard]] std::optional<PictureFormat> picture_format(std::string_view path);

/// The scene as a picture.  The same scene gives the same bytes, without a time of day;
/// a font of the machine serves only signs that the built-in font lacks.  Throws
/// IoError if no font has a sign.  If memory is short, cairo may end the process or
/// hang.
[[nodiscard]] std::string picture(const plot::Scene& scene,
                                  PictureFormat format,
                                  const PictureSettings& settings = {});

/// Draws in a process of its own, so that a crash of cairo ends only that process.
/// Throws IoError if cairo crashes or hangs.  No other thread may draw.
[[nodiscard]] std::string picture_in_child(const plot::Scene& scene,
                                           PictureFormat format,
                                           const PictureSettings& settings = {});

}  // namespace oa::io
