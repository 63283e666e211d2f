#pragma once

#include "oa/attention/coefficients.h"
#include "oa/train/settings.h"

#include <cstdint>

namespace oa::train {

/// Counts of QUBOs that were solved in forward passes.
struct ExactCount {
  std::int64_t qubos = 0;
  std::int64_t proved = 0;
};

/// Returns a solver that proves optima of QUBOs, or of problems with several levels,
/// in forward passes.  After `max_nodes`, it returns the best solution found.
/// `count` receives counts, from one thread at a time.
[[nodiscard]] attention::LevelSolver exact_optima(ExactCount* count = nullptr,
                                                  int max_nodes = Settings{}.max_nodes);

}  // namespace oa::train
