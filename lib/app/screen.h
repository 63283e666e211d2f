#pragma once

#include "oa/io/bytes/output.h"

namespace oa::app {

/// What can be shown where text goes.
struct Screen {
  bool terminal = false;
  int columns = 0;     ///< of a terminal; 0: not known
  bool ascii = false;  ///< by the locale, or because the terminal is dumb
};
[[nodiscard]] Screen screen_of(const io::Output& output);

/// Whether TERM says that lines cannot be coloured or drawn again.
[[nodiscard]] bool is_dumb_terminal();

}  // namespace oa::app
