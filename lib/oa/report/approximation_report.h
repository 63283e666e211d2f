#pragma once

#include "oa/attention/approximation.h"

#include <string>
#include <vector>

namespace oa::report {

/// The errors of all approximations for one setting.
struct ApproximationTable {
  attention::ApproximationSettings settings;
  std::vector<attention::Approximation> errors;
};

/// A table for each setting.
[[nodiscard]] std::string approximation_text(
    const std::vector<ApproximationTable>& tables);
/// One JSON object; oa-bench(1) lists its members.
[[nodiscard]] std::string approximation_json(
    const std::vector<ApproximationTable>& tables);

}  // namespace oa::report
