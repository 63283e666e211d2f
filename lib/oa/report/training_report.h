#pragma once

#include "oa/train/trainer.h"

#include <string>

namespace oa::report {

// The functions format lines of a log as JSON; `seconds` since the training began.

[[nodiscard]] std::string json(const train::StepReport& report,
                               std::int64_t seed,
                               double seconds);

/// Formats an epoch; `test` may be null.
[[nodiscard]] std::string json(const train::EpochReport& report,
                               const train::Evaluation* test,
                               std::int64_t seed,
                               double seconds);

/// Formats a table of epochs, without line ends; cells without evaluation are empty.
[[nodiscard]] std::string epoch_csv_header();
[[nodiscard]] std::string epoch_csv(const train::EpochReport& report,
                                    const train::Evaluation* test,
                                    std::int64_t seed,
                                    double seconds);

/// Formats "epoch 2/3  loss 0.1872  accuracy 94.21 %  held out 96.40 %".
[[nodiscard]] std::string epoch_text(const train::EpochReport& report,
                                     const train::Evaluation* test,
                                     int epochs,
                                     double seconds);

/// Formats a line about a model before training; `type` names its stage.
[[nodiscard]] std::string json(const std::string& type,
                               const train::Evaluation& held_out,
                               std::int64_t seed);

}  // namespace oa::report
