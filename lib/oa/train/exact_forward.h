#pragma once

#include "oa/attention/coefficients.h"
#include "oa/train/settings.h"

#include <cstdint>

namespace oa::train {

/// The counts of QUBOs solved in forward passes.
struct ExactCount {
  std::int64_t qubos = 0;
  std::int64_t proved = 0;
};

/// The proved optima of the QUBOs, or of problems of several levels, for a forward
/// pass.  A proof that takes more nodes ends with the best solution found.  `count`
/// receives the counts, from one thread at a time.
[[nodiscard]] attention::LevelSolver exact_optima(ExactCount* count = nullptr,
                                                  int max_nodes = Settings{}.max_nodes);

}  // namespace oa::train
