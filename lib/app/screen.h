#pragma once

#include "oa/io/bytes/output.h"

namespace oa::app {

/// Abilities of a terminal.
struct Screen {
  bool terminal = false;
  int columns = 0;     ///< 0: unknown
  bool ascii = false;  ///< because of the locale, or a dumb terminal
};
[[nodiscard]] Screen screen_of(const io::Output& output);

/// True if TERM is unset or "dumb": no colours, no redrawn lines.
[[nodiscard]] bool is_dumb_terminal();

}  // namespace oa::app
