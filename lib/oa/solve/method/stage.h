#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace oa::solve {

struct ProblemSize {
  std::int64_t variables = 0;
  std::int64_t terms = 0;  ///< of degree 2 and more
  std::int64_t constraints = 0;

  friend bool operator==(const ProblemSize&, const ProblemSize&) = default;
};

/// A step of solving: a pass that simplifies the problem, or a method that searches it.
struct Stage {
  std::string_view name;
  double seconds = 0.0;
  ProblemSize before;
  ProblemSize after;  ///< for a method: equal to before
};

/// Called at the end of each stage.
using StageReport = std::function<void(const Stage&)>;

}  // namespace oa::solve
