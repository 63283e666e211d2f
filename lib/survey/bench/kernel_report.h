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

/// A table for each setting.
[[nodiscard]] std::string approximation_text(
    const std::vector<ApproximationTable>& tables);
/// One JSON object; oa-bench(1) lists its members.
[[nodiscard]] std::string approximation_json(
    const std::vector<ApproximationTable>& tables);

/// A table of the exponentials, and a table for each use.
[[nodiscard]] std::string exponential_text(
    const std::vector<attention::Exponential>& all);
/// One JSON object; oa-bench(1) lists its members.
[[nodiscard]] std::string exponential_json(
    const std::vector<attention::Exponential>& all);

}  // namespace oa::report
