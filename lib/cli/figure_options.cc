#include "cli/figure_options.h"

#include "cli/options.h"
#include "oa/plot/terminal.h"

#include <string>
#include <utility>

namespace oa::cli {
namespace {

/// The options of some kinds of figures, with the kinds that accept each option.
using Owned = std::vector<std::pair<Option*, std::string>>;

void add_sparsity(App& app, app::FigureOptions& o, Owned& owned) {
  auto* image =
      app.add_option("--image I", o.image, "sparsity: the image with this index")
          ->default_str("the first")
          ->check(at_least(0));
  auto* head =
      app.add_option("--head H", o.head, "sparsity: this head of the attention")
          ->check(between(0, 65535));
  auto* layer = app.add_option("--layer N", o.layer, "sparsity: this layer of a model")
                    ->default_str("the last")
                    ->check(between(0, 1023));
  auto* mean = app.add_flag("--mean", o.mean, "sparsity: the mean over all images");
  mean->excludes(image);
  auto* energy = app.add_flag(
      "--energy", o.sparsity.energies, "sparsity: show the energy below each query");
  energy->excludes(mean);
  auto* names = app.add_flag(
      "--names", o.sparsity.names, "sparsity: show V0, V1, ... in the cells");
  auto* pixels =
      app.add_option("--images DATA",
                     o.pixels,
                     "sparsity: show the image or tokens too, from this data");
  pixels->excludes(mean);
  for (Option* option : {image, head, layer, mean, energy, names, pixels}) {
    owned.emplace_back(option, "sparsity");
  }
}

void add_others(App& app, app::FigureOptions& o, Owned& owned) {
  owned.emplace_back(
      app.add_flag("--notches", o.boxes.notches, "boxplot: notches around the medians"),
      "boxplot");
  owned.emplace_back(
      app.add_flag(
          "--outliers", o.boxes.outliers, "boxplot: outliers beyond the whiskers"),
      "boxplot");
  owned.emplace_back(
      app.add_flag("--log", o.curves.log, "curves: logarithmic axis for the loss"),
      "curves");
  owned.emplace_back(
      app.add_option(
             "--smooth N", o.curves.smooth, "curves: mean over N epochs or points")
          ->check(between(1, 1000000)),
      "curves");
  owned.emplace_back(
      app.add_flag("--steps", o.curves.steps, "curves: against steps, not epochs"),
      "curves");
  owned.emplace_back(app.add_option("--target E", o.target, "targets: energy to reach")
                         ->default_str("the best of all")
                         ->check(number()),
                     "targets");
  owned.emplace_back(
      app.add_option(
          "--accuracy FILE", o.accuracies, "bench: accuracies of models, against time"),
      "bench");
}

}  // namespace

void add_figure(App& app, app::FigureOptions& o) {
  app.add_option("KIND", o.kind, "Figure to draw")
      ->check(one_of(names_in(app::figure_kinds())))
      ->required();
  app.input_operand =
      app.add_option("FILE", o.files, "Streams, models, tables, logs or results");
  Owned owned;
  add_sparsity(app, o, owned);
  add_others(app, o, owned);
  app.on_parsed([&o, owned] {
    for (const auto& [option, kind] : owned) {
      if (option->count() > 0 && kind != o.kind) {
        throw app::UsageError(option->name() + " has no effect with " + o.kind);
      }
    }
    if (o.files.empty()) {
      o.files.emplace_back("-");
    }
    const int most = app::figure_kind(o.kind).most_files;
    if (std::ssize(o.files) > most) {
      throw app::UsageError("FILE: " + o.kind + " takes " +
                            (most == 1 ? "one file" : "a stream, or a model and data"));
    }
    const bool of_model = o.kind == "sparsity" && o.files.size() == 2;
    if (o.layer && !of_model) {
      throw app::UsageError("--layer needs a model and data (name both)");
    }
    if (of_model && !o.pixels.empty()) {
      throw app::UsageError(
          "--images needs a stream (name the data of a model after the model)");
    }
  });
}

void add_look(App& app, app::FigureOptions& figure, LookOptions& look) {
  app.add_option("--title TEXT", figure.title, "Title, instead of the figure's own");
  app.add_option("--columns N", look.columns, "Columns of text, 40 to 200")
      ->default_str("the terminal's")
      ->check(between(plot::kMinColumns, 200));
  auto* width =
      app.add_option(
             "--width MM", look.picture.width, "Width of a picture in millimetres")
          ->default_str("chosen per figure")
          ->check(within(10.0, 1000.0));
  auto* theme = app.add_text(
                       "--theme NAME",
                       [&look](const std::string& name) {
                         look.picture.theme =
                             name == "dark" ? io::Theme::Dark : io::Theme::Light;
                       },
                       "Background of a picture")
                    ->default_str("light")
                    ->check(one_of({"light", "dark"}));
  look.of_png = app.add_option("--dpi N", look.picture.dpi, "Pixels per inch of a PNG")
                    ->check(within(10.0, 2400.0));
  app.add_text(
         "--language NAME",
         [&figure, &look](const std::string& name) {
           look.chinese = name == "zh";
           figure.look.words =
               look.chinese ? plot::Language::Chinese : plot::Language::English;
         },
         "Language of titles and labels")
      ->default_str("en")
      ->check(one_of({"en", "zh"}));
  look.of_pictures = {width, theme, look.of_png};
}

void check_look(const LookOptions& look, std::optional<io::PictureFormat> format) {
  for (const Option* option : look.of_pictures) {
    if (option->count() > 0 && !format) {
      throw app::UsageError(option->name() +
                            " needs a picture (name its file with -o)");
    }
  }
  if (look.of_png->count() > 0 && format != io::PictureFormat::Png) {
    throw app::UsageError("--dpi needs a PNG (name its file with -o)");
  }
  if (look.columns && format) {
    throw app::UsageError("--columns has no effect on a picture (expected --width)");
  }
}

void check_language(const LookOptions& look, bool ascii) {
  if (ascii && look.chinese) {
    throw app::UsageError(
        "--language zh: text is ASCII here (expected a locale with UTF-8 and a "
        "terminal that is not dumb, or a picture named with -o)");
  }
}

}  // namespace oa::cli
