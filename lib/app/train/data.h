#pragma once

#include "oa/data/selection.h"
#include "oa/train/ranks.h"

#include <functional>
#include <map>
#include <string>

namespace oa::app {

/// Examples of which a rank has its share, and what is known of all of them.
struct TrainingData {
  Dataset data;             ///< those of this process
  int count = 0;            ///< of all
  std::string fingerprint;  ///< of all
  /// What files say of them: names of classes.
  std::map<std::string, std::string> notes = {};
};

/// What `read` reads with the selection that it is given: without `ranks` all of it, of
/// the examples of a training what train::SharedExamples takes, of tests what
/// train::evaluate() does.
[[nodiscard]] TrainingData read_training_data(
    const train::Ranks* ranks,
    Split split,
    const std::function<Dataset(const Selection&)>& read);

}  // namespace oa::app
