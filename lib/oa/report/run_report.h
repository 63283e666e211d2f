#pragma once

#include "oa/score/run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oa::report {

struct ReportSettings {
  int top_k = 0;       ///< also the accuracy within the k most probable; 0: no
  bool wrong = false;  ///< also the indices of wrong predictions
  std::vector<std::string> classes = {};  ///< names of classes, or empty
};

/// A table about a run.
[[nodiscard]] std::string report_text(const score::Run& run,
                                      const ReportSettings& settings);

/// The same as one JSON object; oa-score(1) lists its members.
[[nodiscard]] std::string report_json(const score::Run& run,
                                      const ReportSettings& settings);

/// A line of text, or a JSON object, about solving the problems of `images` images.
[[nodiscard]] std::string solving_text(const score::Run& run,
                                       std::int64_t images,
                                       const std::string& solver);
[[nodiscard]] std::string solving_json(const score::Run& run,
                                       std::int64_t images,
                                       const std::string& solver);

}  // namespace oa::report
