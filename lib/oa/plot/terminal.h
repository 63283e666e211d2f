#pragma once

#include "oa/plot/scene.h"

#include <string>

namespace oa::plot {

struct TerminalSettings {
  bool color = false;  ///< use 24-bit escape sequences
  bool ascii = false;  ///< only ASCII characters
  int columns = 120;   ///< wider scenes are scaled down
};

inline constexpr int kMinColumns = 40;

/// Draws the scene as lines of text: two pixels per character, as half-blocks;
/// text as text.  Without colour, runs are the letters a, b, and so on.  Grey is the
/// text colour of the terminal, which is readable on dark and light backgrounds.
[[nodiscard]] std::string terminal_drawing(const Scene& scene,
                                           const TerminalSettings& settings);

}  // namespace oa::plot
