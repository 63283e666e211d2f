#pragma once

#include "cli/cli.h"
#include "oa/plot/boxplot.h"
#include "oa/plot/curves.h"
#include "oa/plot/sparsity.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::cli {

/// What to draw from which files.
struct FigureOptions {
  std::string kind;
  std::vector<std::string> files;
  std::optional<std::int64_t> image;
  bool mean = false;
  std::string pixels;
  plot::SparsitySettings sparsity;
  plot::BoxSettings boxes;
  plot::CurveSettings curves;
  std::optional<double> target;
};

/// KIND, FILE... and the options of all kinds; one given with a kind that it does not
/// belong to is a usage error.
void add_figure(App& app, FigureOptions& options);

/// A drawing and the numbers in it.
struct Figure {
  plot::Scene scene;
  std::string json;
  bool complete = true;  ///< nothing is missing in the files
};

/// Reads the files and makes the figure.  Throws InputError where they do not hold what
/// the kind needs.
[[nodiscard]] Figure make_figure(const FigureOptions& options,
                                 int threads,
                                 Context& context);

}  // namespace oa::cli
