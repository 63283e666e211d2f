#pragma once

#include "app/context.h"
#include "app/images.h"
#include "oa/report/run_report.h"

#include <string>
#include <vector>

namespace oa::app {

/// What is scored: streams of solutions, or a model that is asked about examples.
struct ScoringOptions {
  std::vector<std::string> files;  ///< empty: standard input
  std::string model;               ///< or the first of two files
  ImageOptions images;             ///< which of the examples
  /// Find coefficients by the optima of each layer's problems; empty: as in training.
  std::optional<bool> exact{};
  bool join = false;        ///< files are shards of one whole
  std::string csv;          ///< where predictions go; empty: nowhere
  bool only_table = false;  ///< which goes where the report would go
  report::ReportSettings report;

  /// "oa-score model.bin images"
  [[nodiscard]] bool model_is_operand() const {
    return model.empty() && !join && files.size() == 2;
  }
  [[nodiscard]] bool asks_model() const { return !model.empty() || model_is_operand(); }
};

/// What a tool prints, and whether nothing is missing in it.
struct ScoreReport {
  std::string text;
  bool complete = true;
};

/// The one file, where several make no sense; "-" if none is named.
[[nodiscard]] std::string the_file(const std::vector<std::string>& files);

/// Scores, and writes the table of predictions if one is asked for.  If interrupted,
/// nothing is written and the text is empty.
[[nodiscard]] ScoreReport score(const ScoringOptions& options,
                                bool json,
                                int threads,
                                Context& context);

/// Two runs side by side: tables of predictions or streams.
[[nodiscard]] ScoreReport compare_runs(const std::string& a,
                                       const std::string& b,
                                       bool json,
                                       int threads,
                                       Context& context);

}  // namespace oa::app
