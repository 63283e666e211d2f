#pragma once

#include "oa/train/trainer.h"

#include <string>

namespace oa::train {

// Reports as single JSON objects, the lines of a log.  `seconds` since the training
// began.

[[nodiscard]] std::string json(const StepReport& report,
                               std::int64_t seed,
                               double seconds);

/// `test` may be null.
[[nodiscard]] std::string json(const EpochReport& report,
                               const Evaluation* test,
                               std::int64_t seed,
                               double seconds);

}  // namespace oa::train
