#pragma once

#include "app/train/initial_model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::app {

/// A model that was trained.
struct TrainedResult {
  std::int64_t seed = 0;
  std::int64_t parameters = 0;
  int best_epoch = 0;
  std::optional<double> validation;  ///< empty: no examples are held out
  std::optional<double> test;
  double seconds = 0.0;
  double images_per_second = 0.0;
  bool pictures = true;          ///< examples are pictures
  std::optional<double> waited;  ///< seconds of waiting for other ranks
};

/// The report at the end of all trainings.
struct TrainingSummary {
  std::vector<TrainedResult> models;
  bool complete = true;  ///< every training finished
  std::vector<std::string> warnings;
  int ranks = 1;

  /// `initial` may be null.
  [[nodiscard]] std::string text(const InitialModel* initial) const;
  [[nodiscard]] std::string json(const InitialModel* initial) const;
};

}  // namespace oa::app
