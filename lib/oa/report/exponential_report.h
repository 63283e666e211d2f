#pragma once

#include "oa/attention/exponentials.h"

#include <string>
#include <vector>

namespace oa::report {

/// A table of the exponentials, and a table for each use.
[[nodiscard]] std::string exponential_text(
    const std::vector<attention::Exponential>& all);
/// One JSON object; oa-bench(1) lists its members.
[[nodiscard]] std::string exponential_json(
    const std::vector<attention::Exponential>& all);

}  // namespace oa::report
