#pragma once

#include "app/context.h"
#include "app/images.h"
#include "oa/report/run_report.h"

#include <string>
#include <vector>

namespace oa::app {

/// What to score: streams of solutions, or a model on examples.
struct ScoringOptions {
  std::vector<std::string> files;  ///< empty: standard input
  std::string model;               ///< empty: may be the first of two files
  ImageOptions images;             ///< the examples of a model
  /// Coefficients are optima of each layer's problems; empty: as in training.
  std::optional<bool> exact{};
  bool join = false;        ///< files are shards of one data set
  std::string csv;          ///< file for predictions, or empty
  std::string truth;        ///< file of the true coefficients, or empty
  bool marginals = false;   ///< samples instead of solutions
  bool only_table = false;  ///< no report: the table takes its place
  report::ReportSettings report;

  /// As in "oa-score model.bin images".
  [[nodiscard]] bool model_is_operand() const {
    return model.empty() && !join && files.size() == 2;
  }
  [[nodiscard]] bool asks_model() const { return !model.empty() || model_is_operand(); }
};

/// A report, and whether all images were there.
struct ScoreReport {
  std::string text;
  bool complete = true;
};

/// The only file, or "-" if none is given.  Throws UsageError for several.
[[nodiscard]] std::string the_file(const std::vector<std::string>& files);

/// Scores and writes the table of predictions, if asked for.  If interrupted, writes
/// nothing and returns no text.
[[nodiscard]] ScoreReport score(const ScoringOptions& options, Context& context);

/// Compares two runs: tables of predictions or streams.
[[nodiscard]] ScoreReport compare_runs(const std::string& a,
                                       const std::string& b,
                                       Context& context);

}  // namespace oa::app
