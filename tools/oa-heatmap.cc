// oa-heatmap:
// draws pictures of solutions, predictions and trainings.  See oa-heatmap(1).
#include "app/figure/figures.h"
#include "app/screen.h"
#include "cli/cli.h"
#include "cli/figure_options.h"
#include "oa/io/picture/picture.h"
#include "oa/plot/terminal.h"

#include <algorithm>
#include <string>

namespace oa {
namespace {

struct Options {
  app::Common common;
  app::FigureOptions figure;
  cli::LookOptions look;
};

constexpr int kMaxColumns = 200;
constexpr double kColumnWidth = 8.0;  // in units of a scene

void declare(cli::App& app, Options& o) {
  cli::add_figure(app, o.figure);
  cli::add_output(app,
                  o.common,
                  "Write a picture, by its suffix: .png, .svg, .pdf or .eps; -: text");
  cli::add_look(app, o.figure, o.look);
  cli::add_json(app, o.common, "Print the numbers of the figure as one JSON object");
  cli::add_threads(app, o.common);
  cli::add_color(app, o.common);
}

/// The number of columns for text; 0 without an option or a terminal.
int columns_of(const Options& o, const app::Screen& screen) {
  const int known = o.look.columns ? static_cast<int>(*o.look.columns) : screen.columns;
  return known == 0 ? 0 : std::clamp(known, plot::kMinColumns, kMaxColumns);
}

void print(const Options& o, const app::Figure& figure) {
  io::Output output("-");
  if (o.common.json) {
    output.write(figure.json);
  } else {
    const app::Screen screen = app::screen_of(output);
    plot::TerminalSettings settings;
    settings.color = app::use_color(o.common, output);
    settings.ascii = screen.ascii;
    if (const int columns = columns_of(o, screen); columns > 0) {
      settings.columns = columns;
    }
    output.write(plot::terminal_drawing(figure.scene, settings));
  }
  output.commit();
}

app::Exit work(const Options& o, app::Context& context) {
  const bool to_file = o.common.output != "-";
  const auto format = io::picture_format(o.common.output);
  if (to_file && !format) {
    throw app::UsageError(
        "--output " + o.common.output +
        ": unknown kind of picture (expected .png, .svg, .pdf or .eps)");
  }
  cli::check_look(o.look, format);
  if (to_file) {
    const io::Output can_be_written(o.common.output);  // reports errors before work
  }
  app::FigureOptions wanted = o.figure;
  if (!to_file && !o.common.json) {
    cli::check_language(o.look, app::screen_of(io::Output("-")).ascii);
    wanted.look.width = kColumnWidth * columns_of(o, app::screen_of(io::Output("-")));
  }
  const app::Figure figure = app::make_figure(wanted, context);
  if (context.interrupted()) {
    return app::Exit::Interrupted;
  }
  if (to_file) {
    const std::string picture =
        io::picture_in_child(figure.scene, *format, o.look.picture);
    io::Output output(o.common.output);
    output.write(picture);
    output.commit();
  }
  if (!to_file || o.common.json) {
    print(o, figure);
  }
  return context.status(figure.complete);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-heatmap",
       "Draws figures of solutions, predictions and trainings, as pictures or text."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
