#pragma once

#include "oa/score/run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oa::report {

struct ReportSettings {
  int top_k = 0;       ///< also accuracy within the k most probable; 0: not
  bool wrong = false;  ///< also the indices of images missed
  std::vector<std::string> classes = {};  ///< their names, if they have some
};

/// A run as a table for a person.
[[nodiscard]] std::string report_text(const score::Run& run,
                                      const ReportSettings& settings);

/// The same as one JSON object; oa-score(1) lists its members.
[[nodiscard]] std::string report_json(const score::Run& run,
                                      const ReportSettings& settings);

/// What a solver did with the problems of `images` images: a line, or a JSON object.
[[nodiscard]] std::string solving_text(const score::Run& run,
                                       std::int64_t images,
                                       const std::string& solver);
[[nodiscard]] std::string solving_json(const score::Run& run,
                                       std::int64_t images,
                                       const std::string& solver);

}  // namespace oa::report
