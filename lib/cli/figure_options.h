#pragma once

#include "app/figure/figures.h"
#include "cli/parser.h"
#include "oa/io/picture/picture.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace oa::cli {

/// Adds KIND, FILE... and the options of all kinds.
/// An option of another kind is a usage error.
void add_figure(App& app, app::FigureOptions& options);

/// Options for the appearance of a figure.
struct LookOptions {
  std::optional<std::int64_t> columns;  ///< columns of text; empty: the terminal's
  io::PictureSettings picture;
  std::vector<Option*> of_pictures;
  Option* of_png = nullptr;
  bool chinese = false;
};

/// Adds --title, --columns, --language, --width, --theme and --dpi.
void add_look(App& app, app::FigureOptions& figure, LookOptions& look);

/// Throws app::UsageError if an option has no effect:
/// on a picture of `format`, or text.
void check_look(const LookOptions& look, std::optional<io::PictureFormat> format);

/// Throws app::UsageError if the terminal cannot show the language.
void check_language(const LookOptions& look, bool ascii);

}  // namespace oa::cli
