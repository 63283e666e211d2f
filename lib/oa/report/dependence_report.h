#pragma once

#include "oa/attention/kernel/pattern/pattern.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::report {

/// Which tokens each output of a kind depends on; none if no such layer can stand.
struct Dependence {
  std::string config;  ///< the kind with its options
  std::optional<attention::Pattern> pattern = {};
  std::string unsupported = {};  ///< why there is none
};

/// A drawing for each: a line for every two queries, a column for each key.
[[nodiscard]] std::string dependence_text(const std::vector<Dependence>& all);
/// One JSON object; oa-bench(1) lists its members.
[[nodiscard]] std::string dependence_json(const std::vector<Dependence>& all);

}  // namespace oa::report
