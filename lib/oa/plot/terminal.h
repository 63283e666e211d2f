#pragma once

#include "oa/plot/scene.h"

#include <string>

namespace oa::plot {

struct TerminalSettings {
  bool color = false;  ///< by escape sequences with 24 bits of colour
  int columns = 120;   ///< a wider scene is drawn smaller
};

/// The scene as lines of text: two pixels to a character, by half-blocks; text as text.
/// Grey is drawn in the terminal's own colour, so that it can be read on dark and on
/// light ones.
[[nodiscard]] std::string terminal_drawing(const Scene& scene,
                                           const TerminalSettings& settings);

}  // namespace oa::plot
