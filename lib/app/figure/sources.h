#pragma once

#include "app/context.h"
#include "oa/plot/chart/accuracy.h"
#include "oa/plot/chart/bench.h"
#include "oa/plot/chart/boxplot.h"
#include "oa/plot/chart/confusion.h"
#include "oa/plot/chart/curves.h"
#include "oa/plot/chart/gaps.h"
#include "oa/plot/chart/levels.h"
#include "oa/plot/chart/scatter.h"
#include "oa/plot/chart/targets.h"
#include "oa/plot/map/sparsity.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::app {

// From files to what figures are drawn from.

/// The solutions that head `head` has for image `index` in the stream at `path`, or for
/// its first image.  `pixels`, if not empty, has the data that the problems were posed
/// for: the map shows or names what is in them.
[[nodiscard]] plot::SparsityMap read_one_map(const std::string& path,
                                             std::optional<std::int64_t> index,
                                             int head,
                                             const std::string& pixels,
                                             Context& context);

/// The mean over all images of the stream.  `complete` becomes false where the stream
/// is marked so.
[[nodiscard]] plot::SparsityMap read_mean_map(
    const std::string& path, int head, int threads, Context& context, bool& complete);

/// Adds the values of one image to the sums of those before it; `sum.images` is 0
/// before the first.  Throws InputError, which begins with `where`, if it has another
/// shape.
void add_to_mean(const plot::SparsityMap& one,
                 const std::string& where,
                 plot::SparsityMap& sum);
/// Makes means of sums.
void finish_mean(plot::SparsityMap& sum);

/// Which weights of which model for which data.
struct ModelMap {
  std::string model;
  std::string data;
  std::optional<std::int64_t> layer;  ///< nothing: the last
  int head = 0;
  std::optional<std::int64_t> image;  ///< nothing: the first
};

/// What a model of another kind than optimising attention weighs values by, with names
/// and pictures of the tokens.
[[nodiscard]] plot::SparsityMap read_model_map(const ModelMap& wanted,
                                               Context& context);
/// The mean over all examples.
[[nodiscard]] plot::SparsityMap read_model_mean(const ModelMap& wanted,
                                                Context& context);

/// Image `index` of an IDX file.
[[nodiscard]] plot::Picture read_picture(const std::string& path,
                                         std::int64_t index,
                                         Context& context);

/// What a run is called in a figure: its file's name without folder and suffixes, or
/// without folder alone where that would make two the same.
[[nodiscard]] std::vector<std::string> run_names(const std::vector<std::string>& paths);

/// The probabilities of the true class in each table (or stream of solutions).
[[nodiscard]] plot::BoxPlot read_box_plot(const std::vector<std::string>& paths,
                                          int threads,
                                          Context& context);

[[nodiscard]] plot::Confusion read_confusion(const std::string& path,
                                             int threads,
                                             Context& context);

/// The runs of all logs, over their steps or their epochs.
[[nodiscard]] std::vector<plot::Curve> read_curves(
    const std::vector<std::string>& paths, bool steps, Context& context);

/// Solutions of the same problems by several solvers, each against the optimum that at
/// least one of them has proved.  `complete` becomes false where a stream is marked so
/// or problems are not in all streams.
[[nodiscard]] plot::Gaps read_gaps(const std::vector<std::string>& paths,
                                   int threads,
                                   Context& context,
                                   bool& complete);

/// The results of runs on one problem, a file for each solver.  Without a target it is
/// the best energy of all.
[[nodiscard]] plot::Targets read_targets(const std::vector<std::string>& paths,
                                         std::optional<double> target,
                                         Context& context);

/// The matrices in a folder or an archive (files *.csv), or one matrix.
[[nodiscard]] plot::Levels read_levels(const std::string& path, Context& context);

/// A table of points in groups.
[[nodiscard]] plot::Scatter read_scatter(const std::string& path, Context& context);

/// What oa-bench measured.
[[nodiscard]] plot::BenchChart read_bench(const std::string& path, Context& context);

/// That beside the accuracies in a file of their own.
[[nodiscard]] plot::AccuracyChart read_accuracy_chart(const std::string& bench,
                                                      const std::string& accuracies,
                                                      Context& context);

}  // namespace oa::app
