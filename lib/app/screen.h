#pragma once

#include "oa/io/bytes/output.h"

namespace oa::app {

/// The abilities of a terminal.
struct Screen {
  bool terminal = false;
  int columns = 0;     ///< 0: unknown
  bool ascii = false;  ///< by the locale, or because the terminal is dumb
};
[[nodiscard]] Screen screen_of(const io::Output& output);

/// True if TERM is unset or "dumb": no colours, no redrawn lines.
[[nodiscard]] bool is_dumb_terminal();

}  // namespace oa::app
