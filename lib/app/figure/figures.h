#pragma once

#include "app/context.h"
#include "oa/plot/chart/boxplot.h"
#include "oa/plot/chart/curves.h"
#include "oa/plot/map/sparsity.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oa::app {

/// Input files and settings of a figure.
struct FigureOptions {
  std::string kind;
  std::vector<std::string> files;
  std::optional<std::int64_t> image;
  int head = 0;
  std::optional<std::int64_t> layer;  ///< the model's layer; empty: the last
  bool mean = false;
  std::string pixels;
  plot::SparsitySettings sparsity;
  plot::BoxSettings boxes;
  plot::CurveSettings curves;
  std::optional<double> target;
  std::string accuracies;  ///< a file of accuracies for a benchmark's models, or empty
  std::string title;       ///< empty: the default title
  plot::Look look;
};

/// A drawing and its numbers.
struct Figure {
  plot::Scene scene;
  std::string json;
  bool complete = true;  ///< no input file is incomplete
};

struct FigureKind {
  std::string_view name;
  Figure (*make)(const FigureOptions& options, Context& context);
  int most_files;  ///< largest number of operands
};

/// The kinds, in the order of the manual.
[[nodiscard]] std::span<const FigureKind> figure_kinds();
/// Returns the kind with this name, which must exist.
[[nodiscard]] const FigureKind& figure_kind(std::string_view name);

/// Reads the files and makes the figure.
/// Throws InputError if a file does not suit the kind.
[[nodiscard]] Figure make_figure(const FigureOptions& options, Context& context);

}  // namespace oa::app
