#pragma once

#include "app/images.h"
#include "oa/qubo/problem.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace oa::app {

/// What posing and solving the problems of a data set takes, from those of some
/// examples spread over it.
struct Plan {
  std::int64_t examples = 0;
  std::int64_t sample = 0;  ///< examples that were posed and solved
  std::int64_t qubos = 0;
  int variables = 0;                ///< of the largest problem seen
  std::int64_t problem_bytes = 0;   ///< of the stream of problems
  std::int64_t solution_bytes = 0;  ///< of the stream with solutions
  double posing_s = 0.0;            ///< seconds of one core
  double solving_s = 0.0;           ///< by the default solver

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string json() const;
};

/// `pose` makes the problems of example k of the source.
[[nodiscard]] Plan make_plan(
    const std::function<std::vector<qubo::Problem>(std::int64_t k)>& pose,
    const ExampleSource& source,
    Context& context);

}  // namespace oa::app
