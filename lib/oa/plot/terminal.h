#pragma once

#include "oa/plot/scene.h"

#include <string>

namespace oa::plot {

struct TerminalSettings {
  bool color = false;  ///< by 24-bit escape sequences
  bool ascii = false;  ///< no other signs
  int columns = 120;   ///< wider scenes are drawn smaller
};

inline constexpr int kMinColumns = 40;

/// The scene as lines of text: two pixels per character, as half-blocks; text as text.
/// Without colour, the runs of a scene are letters: a, b, and so on.  Grey is drawn in
/// the terminal's own colour, which is readable on dark and light ones.
[[nodiscard]] std::string terminal_drawing(const Scene& scene,
                                           const TerminalSettings& settings);

}  // namespace oa::plot
