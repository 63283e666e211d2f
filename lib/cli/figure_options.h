#pragma once

#include "app/figure/figures.h"
#include "cli/parser.h"
#include "oa/io/picture/picture.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace oa::cli {

/// KIND, FILE... and the options of all kinds.  An option of another kind is a usage
/// error.
void add_figure(App& app, app::FigureOptions& options);

/// Options of a figure's looks.
struct LookOptions {
  std::optional<std::int64_t> columns;  ///< columns of text; nothing: as the terminal
  io::PictureSettings picture;
  std::vector<Option*> of_pictures;
  Option* of_png = nullptr;
  bool chinese = false;
};

/// --title, --columns, --language, --width, --theme, --dpi.
void add_look(App& app, app::FigureOptions& figure, LookOptions& look);

/// Throws app::UsageError if an option has no effect on the output: a picture, or text
/// without `format`.
void check_look(const LookOptions& look, std::optional<io::PictureFormat> format);

/// Throws app::UsageError if the terminal cannot show the language.
void check_language(const LookOptions& look, bool ascii);

}  // namespace oa::cli
