#pragma once

#include "oa/score/run.h"

#include <string>

namespace oa::report {

/// Formats a text table, or a JSON object.
[[nodiscard]] std::string comparison_text(const score::Comparison& comparison,
                                          const std::string& a,
                                          const std::string& b);
[[nodiscard]] std::string comparison_json(const score::Comparison& comparison);
[[nodiscard]] std::string comparison_text(const score::TaskComparison& comparison,
                                          const std::string& a,
                                          const std::string& b);
[[nodiscard]] std::string comparison_json(const score::TaskComparison& comparison);

}  // namespace oa::report
