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

// Readers of the data that figures show.

/// Reads the coefficients of head `head` for image `index` (default:
/// the first) from the stream of solutions at `path`.  `pixels`, if not empty,
/// is the file of the images or sequences, whose pictures or tokens the map shows.
[[nodiscard]] plot::SparsityMap read_one_map(const std::string& path,
                                             std::optional<std::int64_t> index,
                                             int head,
                                             const std::string& pixels,
                                             Context& context);

/// Reads the mean map over all images of the stream.
/// Clears `complete` if the stream is marked incomplete.
[[nodiscard]] plot::SparsityMap read_mean_map(const std::string& path,
                                              int head,
                                              Context& context,
                                              bool& complete);

/// Adds the map of one image to the sums; `sum.images` is 0 before the first.
/// Throws InputError, whose message begins with `where`, if the shapes differ.
void add_to_mean(const plot::SparsityMap& one,
                 const std::string& where,
                 plot::SparsityMap& sum);
/// Divides the sums by the number of images: `sum` becomes the mean.
void finish_mean(plot::SparsityMap& sum);

/// Selects attention weights: the model, the layer, the head and the example.
struct ModelMap {
  std::string model;
  std::string data;
  std::optional<std::int64_t> layer;  ///< empty: the last
  int head = 0;
  std::optional<std::int64_t> image;  ///< empty: the first
};

/// Computes the weights of a kind that poses no problems, and names tokens.
[[nodiscard]] plot::SparsityMap read_model_map(const ModelMap& wanted,
                                               Context& context);
/// Computes the mean weights over all examples.
[[nodiscard]] plot::SparsityMap read_model_mean(const ModelMap& wanted,
                                                Context& context);

/// Image `index` of an IDX file.
[[nodiscard]] plot::Picture read_picture(const std::string& path,
                                         std::int64_t index,
                                         Context& context);

/// Names the runs in a figure by their file names without folder and suffixes.
/// Keeps suffixes if two names would be equal.
[[nodiscard]] std::vector<std::string> run_names(const std::vector<std::string>& paths);

/// Reads the probabilities of the true class from each table or stream of solutions.
[[nodiscard]] plot::BoxPlot read_box_plot(const std::vector<std::string>& paths,
                                          Context& context);

[[nodiscard]] plot::Confusion read_confusion(const std::string& path, Context& context);

/// Reads the curves of all logs, over steps or epochs.
[[nodiscard]] std::vector<score::Curve> read_curves(
    const std::vector<std::string>& paths, bool steps, Context& context);

/// Reads solutions of the same problems by several solvers,
/// and compares each solution with the optimum that a solver proved.  Clears `complete`
/// if a stream is marked incomplete or lacks problems of another stream.
[[nodiscard]] plot::Gaps read_gaps(const std::vector<std::string>& paths,
                                   Context& context,
                                   bool& complete);

/// Reads the results of runs on one problem, a file for each solver.
/// The default target is the best energy of all runs.
[[nodiscard]] plot::Targets read_targets(const std::vector<std::string>& paths,
                                         std::optional<double> target,
                                         Context& context);

/// The share hits / runs with its 95 % confidence interval.
[[nodiscard]] plot::HitRate hit_rate(std::int64_t hits, std::int64_t runs);

/// True if the first file, not a pipe, is a report of `oa-cim-ingest --tasks --json`.
[[nodiscard]] bool are_task_reports(const std::vector<std::string>& paths,
                                    Context& context);
/// Compares runs of a machine with the optima, from reports of oa-cim-ingest.
[[nodiscard]] plot::Gaps gaps_of_tasks(const std::vector<std::string>& paths,
                                       Context& context);
[[nodiscard]] plot::Targets targets_of_tasks(const std::vector<std::string>& paths,
                                             Context& context);

/// Reads the matrices (*.csv) of a folder or an archive, or one matrix.
[[nodiscard]] plot::Levels read_levels(const std::string& path, Context& context);

/// Reads a table of points in groups.
[[nodiscard]] score::Scatter read_scatter(const std::string& path, Context& context);

[[nodiscard]] score::BenchChart read_bench(const std::string& path, Context& context);

/// Reads the measurements of oa-bench, and the accuracies from a second file.
[[nodiscard]] plot::AccuracyChart read_accuracy_chart(const std::string& bench,
                                                      const std::string& accuracies,
                                                      Context& context);

}  // namespace oa::app
