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
  double width = 0.0;  ///< in millimetres; 0: 1/96 inch for a unit of the scene
  double dpi = 192.0;  ///< pixels of a PNG per inch
};

/// The format by the suffix .png, .svg, .pdf or .eps, in any case;
/// nothing for other suffixes.
[[nodiscard]] std::optional<PictureFormat> picture_format(std::string_view path);

/// Draws the scene.  The bytes depend on the scene only, not on the time of day; system
/// fonts draw only characters that the built-in font lacks.  Throws IoError if no font
/// has a character.  If memory is short, cairo may end the process or hang.
[[nodiscard]] std::string picture(const plot::Scene& scene,
                                  PictureFormat format,
                                  const PictureSettings& settings = {});

/// Draws in a child process, which protects this process from crashes of cairo.
/// Throws IoError if cairo crashes or hangs.  No other thread may draw.
[[nodiscard]] std::string picture_in_child(const plot::Scene& scene,
                                           PictureFormat format,
                                           const PictureSettings& settings = {});

}  // namespace oa::io
