#pragma once

#include "oa/attention/coefficients.h"

#include <cstdint>

namespace oa::train {

/// What became of the QUBOs on a model's way forward.
struct ExactCount {
  std::int64_t qubos = 0;
  std::int64_t proved = 0;
};

/// The optima of the QUBOs, or of problems of several levels, proved, for a model's way
/// forward.  One that takes very long ends with the best found.  `count` gets how
/// often, from one thread at a time.
[[nodiscard]] attention::LevelSolver exact_optima(ExactCount* count = nullptr);

}  // namespace oa::train
