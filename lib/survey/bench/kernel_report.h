#pragma once

#include "survey/bench/approximation.h"
#include "survey/bench/exponentials.h"

#include <string>
#include <vector>

namespace oa::report {

struct ApproximationTable {
  attention::ApproximationSettings settings;
  std::vector<attention::Approximation> errors;
};

/// Formats a table for each setting.
[[nodiscard]] std::string approximation_text(
    const std::vector<ApproximationTable>& tables);
/// Formats a JSON object, described in oa-bench(1).
[[nodiscard]] std::string approximation_json(
    const std::vector<ApproximationTable>& tables);

/// Formats a table of the exponentials, and a table for each use.
[[nodiscard]] std::string exponential_text(
    const std::vector<attention::Exponential>& all);
/// Formats a JSON object, described in oa-bench(1).
[[nodiscard]] std::string exponential_json(
    const std::vector<attention::Exponential>& all);

}  // namespace oa::report
