#include "app/screen.h"

#include <cstdlib>
#include <string>

#include <sys/ioctl.h>
#include <unistd.h>

namespace oa::app {
namespace {

/// The value of an environment variable, or empty.
std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT: read once, before threads
  return value == nullptr ? "" : value;
}

/// True if the locale is UTF-8: the first variable set in this list decides.
bool has_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string locale = variable(name);
    if (!locale.empty()) {
      return locale.find("UTF-8") != locale.npos ||
             locale.find("utf8") != locale.npos || locale.find("UTF8") != locale.npos ||
             locale.find("utf-8") != locale.npos;
    }
  }
  return false;
}

}  // namespace

bool is_dumb_terminal() {
  const std::string kind = variable("TERM");
  return kind.empty() || kind == "dumb";
}

Screen screen_of(const io::Output& output) {
  Screen screen;
  screen.terminal = output.is_terminal();
  screen.ascii = !has_utf8() || (screen.terminal && is_dumb_terminal());
  winsize size{};
  if (screen.terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    screen.columns = size.ws_col;
  }
  return screen;
}

}  // namespace oa::app
