#pragma once

#include "oa/train/trainer.h"

#include <string>

namespace oa::report {

// Reports as single JSON objects, the lines of a log.  `seconds` since the training
// began.

[[nodiscard]] std::string json(const train::StepReport& report,
                               std::int64_t seed,
                               double seconds);

/// `test` may be null.
[[nodiscard]] std::string json(const train::EpochReport& report,
                               const train::Evaluation* test,
                               std::int64_t seed,
                               double seconds);

/// Of a model before it is trained, `type` says which.
[[nodiscard]] std::string json(const std::string& type,
                               const train::Evaluation& held_out,
                               std::int64_t seed);

}  // namespace oa::report
