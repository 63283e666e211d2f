#pragma once

#include "oa/plot/scene.h"

#include <string>

namespace oa::plot {

struct TerminalSettings {
  bool color = false;  ///< by escape sequences with 24 bits of colour
  bool ascii = false;  ///< no other signs
  int columns = 120;  ///< a wider scene is drawn smaller, long lines of text are broken
};

inline constexpr int kLeastColumns = 40;

/// The scene as lines of text: two pixels to a character, by half-blocks; text as text.
/// Without colour the runs of a scene are letters: a for the first, b, and so on.
/// Grey is drawn in the terminal's own colour, so that it can be read on dark and on
/// light ones.
[[nodiscard]] std::string terminal_drawing(const Scene& scene,
                                           const TerminalSettings& settings);

}  // namespace oa::plot
