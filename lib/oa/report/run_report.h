#pragma once

#include "oa/score/run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oa::report {

struct ReportSettings {
  int top_k = 0;       ///< report accuracy within the k most probable; 0: no
  bool wrong = false;  ///< report indices of wrong predictions
  std::vector<std::string> classes = {};  ///< names of classes, or empty
};

/// Formats a run as a table.
[[nodiscard]] std::string report_text(const score::Run& run,
                                      const ReportSettings& settings);

/// Formats a run as a JSON object, described in oa-score(1).
[[nodiscard]] std::string report_json(const score::Run& run,
                                      const ReportSettings& settings);

/// Formats statistics of solving the problems of `images` images: text, or JSON.
[[nodiscard]] std::string solving_text(const score::Run& run,
                                       std::int64_t images,
                                       const std::string& solver);
[[nodiscard]] std::string solving_json(const score::Run& run,
                                       std::int64_t images,
                                       const std::string& solver);

}  // namespace oa::report
