#pragma once

#include "oa/attention/kernel/pattern/pattern.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::report {

/// The tokens that each output of a kind depends on.
struct Dependence {
  std::string config;  ///< the kind with its options
  std::optional<attention::Pattern> pattern = {};
  std::string unsupported = {};  ///< why there is no pattern
};

/// Drawings with a line for two queries and a column for each key.
[[nodiscard]] std::string dependence_text(const std::vector<Dependence>& all);
/// One JSON object; oa-bench(1) lists its members.
[[nodiscard]] std::string dependence_json(const std::vector<Dependence>& all);

}  // namespace oa::report
