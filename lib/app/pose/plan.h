#pragma once

#include "app/images.h"
#include "oa/qubo/problem.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace oa::app {

/// Predicts the cost of posing and solving the problems of a data set, from a sample.
struct Plan {
  std::int64_t examples = 0;
  std::int64_t sample = 0;  ///< examples posed and solved
  std::int64_t qubos = 0;
  int variables = 0;                ///< of the largest problem in the sample
  std::int64_t problem_bytes = 0;   ///< length of the stream of problems
  std::int64_t solution_bytes = 0;  ///< length of the stream of solutions
  double posing_s = 0.0;            ///< on one core
  double solving_s = 0.0;           ///< on one core, by the default solver

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string json() const;
};

/// `pose` returns the problems of example k of the source.
[[nodiscard]] Plan make_plan(
    const std::function<std::vector<qubo::Problem>(std::int64_t k)>& pose,
    const ExampleSource& source,
    Context& context);

}  // namespace oa::app
