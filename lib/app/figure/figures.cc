#include "app/figure/figures.h"

#include "app/figure/sources.h"
#include "oa/report/figure_json.h"

#include <algorithm>
#include <array>

namespace oa::app {
namespace {

/// Reads the map of a model if two files are given, else of a stream.
plot::SparsityMap sparsity_map(const FigureOptions& o,
                               Context& context,
                               bool& complete) {
  if (o.files.size() == 2) {
    const ModelMap wanted{o.files[0], o.files[1], o.layer, o.head, o.image};
    return o.mean ? read_model_mean(wanted, context) : read_model_map(wanted, context);
  }
  return o.mean ? read_mean_map(o.files[0], o.head, context, complete)
                : read_one_map(o.files[0], o.image, o.head, o.pixels, context);
}

Figure sparsity(const FigureOptions& o, Context& context) {
  Figure figure;
  const plot::SparsityMap map = sparsity_map(o, context, figure.complete);
  if (!context.interrupted()) {
    figure.scene = plot::draw(map, o.sparsity, o.look);
    figure.json = report::json(map);
  }
  return figure;
}

Figure boxplot(const FigureOptions& o, Context& context) {
  const plot::BoxPlot plot = read_box_plot(o.files, context);
  return {plot::draw(plot, o.boxes, o.look), report::json(plot)};
}

Figure confusion(const FigureOptions& o, Context& context) {
  const plot::Confusion confusion = read_confusion(o.files[0], context);
  return {plot::draw(confusion, o.look), report::json(confusion)};
}

Figure curves(const FigureOptions& o, Context& context) {
  const std::vector<score::Curve> curves =
      read_curves(o.files, o.curves.steps, context);
  return {plot::draw(curves, o.curves, o.look), report::json(curves, o.curves.steps)};
}

Figure gaps(const FigureOptions& o, Context& context) {
  Figure figure;
  const plot::Gaps gaps = are_task_reports(o.files, context)
                              ? gaps_of_tasks(o.files, context)
                              : read_gaps(o.files, context, figure.complete);
  if (!context.interrupted()) {
    figure.scene = plot::draw(gaps, o.look);
    figure.json = report::json(gaps);
  }
  return figure;
}

Figure targets(const FigureOptions& o, Context& context) {
  const plot::Targets targets = are_task_reports(o.files, context)
                                    ? targets_of_tasks(o.files, context)
                                    : read_targets(o.files, o.target, context);
  return {plot::draw(targets, o.look), report::json(targets)};
}

Figure levels(const FigureOptions& o, Context& context) {
  const plot::Levels levels = read_levels(o.files[0], context);
  return {plot::draw(levels, o.look), report::json(levels)};
}

Figure bench(const FigureOptions& o, Context& context) {
  if (!o.accuracies.empty()) {
    const plot::AccuracyChart chart =
        read_accuracy_chart(o.files[0], o.accuracies, context);
    return {plot::draw(chart, o.look), report::json(chart)};
  }
  const score::BenchChart chart = read_bench(o.files[0], context);
  return {plot::draw(chart, o.look), report::json(chart)};
}

Figure scatter(const FigureOptions& o, Context& context) {
  const score::Scatter scatter = read_scatter(o.files[0], context);
  return {plot::draw(scatter, o.look), report::json(scatter)};
}

constexpr int kAnyNumber = 1 << 30;
constexpr auto kKinds = std::to_array<FigureKind>({{"sparsity", sparsity, 2},
                                                   {"boxplot", boxplot, kAnyNumber},
                                                   {"curves", curves, kAnyNumber},
                                                   {"confusion", confusion, 1},
                                                   {"gaps", gaps, kAnyNumber},
                                                   {"targets", targets, kAnyNumber},
                                                   {"levels", levels, 1},
                                                   {"bench", bench, 1},
                                                   {"scatter", scatter, 1}});

}  // namespace

std::span<const FigureKind> figure_kinds() {
  return kKinds;
}

const FigureKind& figure_kind(std::string_view name) {
  return *std::ranges::find(kKinds, name, &FigureKind::name);
}

Figure make_figure(const FigureOptions& o, Context& context) {
  Figure figure = figure_kind(o.kind).make(o, context);
  if (!o.title.empty()) {
    figure.scene.retitle(o.title);
  }
  return figure;
}

}  // namespace oa::app
