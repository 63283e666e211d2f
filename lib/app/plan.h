#pragma once

#include "app/images.h"
#include "oa/model/network.h"

#include <cstdint>
#include <optional>
#include <string>

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

[[nodiscard]] Plan make_plan(const model::Model& model,
                             int layer,
                             std::optional<int> head,
                             const ExampleSource& source,
                             Context& context);

}  // namespace oa::app
