#pragma once

#include "app/context.h"
#include "app/images.h"
#include "oa/report/run_report.h"

#include <string>
#include <vector>

namespace oa::app {

/// Streams of solutions to score, or a model with its examples.
struct ScoringOptions {
  std::vector<std::string> files;  ///< empty: standard input
  std::string model;               ///< model file; empty: maybe the first of two files
  ImageOptions images;             ///< the model's examples
  /// True: coefficients are optima of each layer's problems; empty: as in training.
  std::optional<bool> exact{};
  bool join = false;        ///< the files are shards of one data set
  std::string csv;          ///< file for predictions, or empty
  std::string truth;        ///< file of the true coefficients, or empty
  bool marginals = false;   ///< use marginals of samples instead of solutions
  bool only_table = false;  ///< write the table in place of the report
  report::ReportSettings report;

  /// True for "oa-score model.bin images".
  [[nodiscard]] bool model_is_operand() const {
    return model.empty() && !join && files.size() == 2;
  }
  [[nodiscard]] bool asks_model() const { return !model.empty() || model_is_operand(); }
};

/// A report, and whether all images were present.
struct ScoreReport {
  std::string text;
  bool complete = true;
};

/// Returns the only file, or "-" without files.  Throws UsageError for several files.
[[nodiscard]] std::string the_file(const std::vector<std::string>& files);

/// Scores, and writes the table of predictions if requested.  If interrupted, writes
/// nothing and returns no text.
[[nodiscard]] ScoreReport score(const ScoringOptions& options, Context& context);

/// Compares two runs, given as tables of predictions or as streams.
[[nodiscard]] ScoreReport compare_runs(const std::string& a,
                                       const std::string& b,
                                       Context& context);

}  // namespace oa::app
