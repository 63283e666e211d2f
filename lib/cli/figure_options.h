#pragma once

#include "app/figure/figures.h"
#include "cli/parser.h"
#include "oa/io/picture/picture.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace oa::cli {

/// KIND, FILE... and the options of all kinds.  An option given with a kind that does
/// not have it is a usage error.
void add_figure(App& app, app::FigureOptions& options);

/// How a figure looks where it goes.
struct LookOptions {
  std::optional<std::int64_t> columns;  ///< of text; nothing: those of the terminal
  io::PictureSettings picture;
  std::vector<Option*> of_pictures;
  Option* of_png = nullptr;
  bool chinese = false;
};

/// --title, --columns, --language, --width, --theme, --dpi.
void add_look(App& app, app::FigureOptions& figure, LookOptions& look);

/// Throws app::UsageError where an option has no effect on what goes out: text, if
/// there is no `format`.
void check_look(const LookOptions& look, std::optional<io::PictureFormat> format);

/// Throws app::UsageError if text has no signs for the language.
void check_language(const LookOptions& look, bool ascii);

}  // namespace oa::cli
