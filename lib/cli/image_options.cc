#include "cli/image_options.h"

#include "cli/options.h"
#include "oa/base/coefficients.h"

#include <string>

namespace oa::cli {
namespace {

Check is_shard() {
  return {[](const std::string& text) {
    return app::parse_shard(text)
               ? std::string{}
               : "'" + text + "' (expected K/N with K from 0 to N-1)";
  }};
}

}  // namespace

ImageChoice add_image_choice(App& app,
                             app::ImageOptions& o,
                             const std::vector<std::string>& more) {
  auto* labels =
      app.add_option("--labels FILE", o.labels, "Labels of the images, IDX or .npy")
          ->default_str("the one beside");
  auto* first = app.add_option("--first N", o.first, "Use only the first N images")
                    ->check(at_least(0));
  auto* fit = app.add_flag(
      "--fit", o.fit, "Convert images to the size and colours of the model");
  auto* invert = app.add_switch("--invert",
                                o.invert,
                                "Invert images, for dark ink on white paper; =false: "
                                "do not (default: as the model was trained)");
  auto* index =
      add_indices(app, "--index", o.index, "Use only the images with these indices")
          ->excludes(first);
  auto* stride =
      app.add_option("--stride S", o.stride, "Pixels from one patch to the next")
          ->default_str("the model's")
          ->check(between(1, 4096));
  std::vector<std::string> names = names_of<Coefficients>();
  // Marginals need the temperature that a model learned.
  std::erase(names, field_text(Coefficients::Marginal));
  names.insert(names.end(), more.begin(), more.end());
  auto* coefficients =
      app.add_option(
             "--coefficients KIND", o.coefficients, "Values that coefficients may take")
          ->default_str("the model's")
          ->check(one_of(names));
  auto* levels =
      app.add_option("--levels L",
                     o.levels,
                     "Number of levels of a coefficient, from 0 to 1 (2: binary)")
          ->default_str("the model's")
          ->check(between(2, kMaxLevels));
  return {labels, first, fit, invert, index, stride, coefficients, levels};
}

Option* add_levels(App& app, app::LevelOptions& o) {
  app.add_option("--encoding NAME", o.encoding, "How binary variables encode a level")
      ->check(one_of(names_of<Encoding>()));
  app.add_option("--penalty X", o.penalty, "Penalty of a violated encoding or sum")
      ->default_str("what is proved to suffice")
      ->check(not_negative());
  return app.add_option("--level-scale HOW", o.scale, "Scope of the scale of levels")
      ->check(one_of(names_of<app::LevelScale>()));
}

void add_shard(App& app, app::ImageOptions& o) {
  app.add_option("--shard K/N", o.shard, "Use only part K of N equal parts, from 0")
      ->check(is_shard());
}

Option* add_arrays(App& app,
                   app::ArrayOptions& o,
                   const std::vector<Option*>& of_models) {
  auto* values =
      app.add_option("--values FILE", o.values, "Values V of least squares, .npy")
          ->default_str("");
  auto* queries =
      app.add_option("--queries FILE", o.queries, "Queries of least squares, .npy")
          ->default_str("")
          ->needs(values);
  values->needs(queries);
  auto* lambda = app.add_option("--lambda X", o.lambda, "Cost of a coefficient of 1")
                     ->check(not_negative())
                     ->needs(values);
  app.add_option("--choose K", o.choose, "The sum of binary coefficients is K")
      ->default_str("any")
      ->needs(values)
      ->excludes(lambda);
  app.add_flag("--real-coefficients",
               o.real,
               "Coefficients of complex values are real numbers")
      ->needs(values);
  for (Option* option : of_models) {
    values->excludes(option);
  }
  return values;
}

}  // namespace oa::cli
