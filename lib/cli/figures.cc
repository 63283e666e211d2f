#include "cli/figures.h"

#include "cli/figure_sources.h"
#include "oa/report/figure_json.h"

#include <algorithm>
#include <array>
#include <utility>

namespace oa::cli {
namespace {

Figure sparsity(const FigureOptions& o, int threads, Context& context) {
  Figure figure;
  plot::SparsityMap map =
      o.mean ? read_mean_map(o.files[0], threads, context, figure.complete)
             : read_one_map(o.files[0], o.image, context);
  if (context.interrupted()) {
    return figure;
  }
  if (!o.pixels.empty()) {
    map.picture = read_picture(o.pixels, map.index, context);
  }
  figure.scene = plot::draw(map, o.sparsity);
  figure.json = report::json(map);
  return figure;
}

Figure boxplot(const FigureOptions& o, int threads, Context& context) {
  const plot::BoxPlot plot = read_box_plot(o.files, threads, context);
  return {plot::draw(plot, o.boxes), report::json(plot)};
}

Figure confusion(const FigureOptions& o, int threads, Context& context) {
  const plot::Confusion confusion = read_confusion(o.files[0], threads, context);
  return {plot::draw(confusion), report::json(confusion)};
}

Figure curves(const FigureOptions& o, int /*threads*/, Context& context) {
  const std::vector<plot::Curve> curves = read_curves(o.files, context);
  return {plot::draw(curves, o.curves), report::json(curves)};
}

Figure gaps(const FigureOptions& o, int threads, Context& context) {
  Figure figure;
  const plot::Gaps gaps = read_gaps(o.files, threads, context, figure.complete);
  if (!context.interrupted()) {
    figure.scene = plot::draw(gaps);
    figure.json = report::json(gaps);
  }
  return figure;
}

Figure targets(const FigureOptions& o, int /*threads*/, Context& context) {
  const plot::Targets targets = read_targets(o.files, o.target, context);
  return {plot::draw(targets), report::json(targets)};
}

Figure levels(const FigureOptions& o, int /*threads*/, Context& context) {
  const plot::Levels levels = read_levels(o.files[0], context);
  return {plot::draw(levels), report::json(levels)};
}

struct Kind {
  const char* name;
  Figure (*make)(const FigureOptions&, int, Context&);
  bool many_files;
};

constexpr auto kKinds = std::to_array<Kind>({{"sparsity", sparsity, false},
                                             {"boxplot", boxplot, true},
                                             {"curves", curves, true},
                                             {"confusion", confusion, false},
                                             {"gaps", gaps, true},
                                             {"targets", targets, true},
                                             {"levels", levels, false}});

const Kind& kind_of(const FigureOptions& o) {
  return *std::ranges::find(kKinds, o.kind, &Kind::name);
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) {
    names.emplace_back(kind.name);
  }
  return names;
}

/// The options of one kind, to refuse them with another.
using Owned = std::vector<std::pair<Option*, std::string>>;

void add_sparsity(App& app, FigureOptions& o, Owned& owned) {
  auto* image =
      app.add_option("--image", o.image, "sparsity: the image with this index")
          ->type_name("I")
          ->default_str("the first")
          ->check(at_least(0));
  auto* mean = app.add_flag("--mean", o.mean, "sparsity: the mean over all images");
  mean->excludes(image);
  auto* energy = app.add_flag(
      "--energy", o.sparsity.energies, "sparsity: each query's energy below it");
  energy->excludes(mean);
  auto* names =
      app.add_flag("--names", o.sparsity.names, "sparsity: V0, V1, ... in the cells");
  auto* pixels =
      app.add_option("--images", o.pixels, "sparsity: with the image, from this file")
          ->type_name("IDX");
  pixels->excludes(mean);
  for (Option* option : {image, mean, energy, names, pixels}) {
    owned.emplace_back(option, "sparsity");
  }
}

void add_others(App& app, FigureOptions& o, Owned& owned) {
  owned.emplace_back(
      app.add_flag("--notches", o.boxes.notches, "boxplot: notches around the medians"),
      "boxplot");
  owned.emplace_back(
      app.add_flag(
          "--outliers", o.boxes.outliers, "boxplot: what lies beyond whiskers"),
      "boxplot");
  owned.emplace_back(
      app.add_flag("--log", o.curves.log, "curves: a logarithmic axis for the loss"),
      "curves");
  owned.emplace_back(
      app.add_option("--smooth", o.curves.smooth, "curves: mean over N epochs")
          ->type_name("N")
          ->check(between(1, 1000000)),
      "curves");
  owned.emplace_back(
      app.add_option("--target", o.target, "targets: the energy to be reached")
          ->type_name("E")
          ->default_str("the best of all"),
      "targets");
}

}  // namespace

void add_figure(App& app, FigureOptions& o) {
  app.add_option("KIND", o.kind, "What to draw")
      ->check(one_of(kind_names()))
      ->required();
  app.input_operand = app.add_option(
      "FILE", o.files, "Streams, tables of predictions, logs or results");
  Owned owned;
  add_sparsity(app, o, owned);
  add_others(app, o, owned);
  app.on_parsed([&o, owned] {
    for (const auto& [option, kind] : owned) {
      if (option->count() > 0 && kind != o.kind) {
        throw UsageError(option->name() + ": does not go with " + o.kind);
      }
    }
    if (o.files.empty()) {
      o.files.emplace_back("-");
    }
    if (o.files.size() > 1 && !kind_of(o).many_files) {
      throw UsageError("FILE: " + o.kind + " is drawn from one file");
    }
  });
}

Figure make_figure(const FigureOptions& o, int threads, Context& context) {
  return kind_of(o).make(o, threads, context);
}

}  // namespace oa::cli
