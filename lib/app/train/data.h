#pragma once

#include "oa/data/selection.h"
#include "oa/train/ranks.h"

#include <functional>
#include <map>
#include <string>

namespace oa::app {

/// The examples of this rank, and facts about all examples.
struct TrainingData {
  Dataset data;             ///< examples of this process
  int count = 0;            ///< number of all examples
  std::string fingerprint;  ///< fingerprint of all examples
  /// Metadata for the model: names of classes.
  std::map<std::string, std::string> notes = {};
};

/// Calls `read` for the examples of this rank; all examples if there are no `ranks`.
/// Otherwise training examples as train::SharedExamples,
/// test examples as train::evaluate() divides them.
[[nodiscard]] TrainingData read_training_data(
    const train::Ranks* ranks,
    Split split,
    const std::function<Dataset(const Selection&)>& read);

}  // namespace oa::app
