#pragma once

#include "oa/plot/chart/bench.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::plot {

/// Accuracies of models and the times of their attention.
struct AccuracyChart {
  struct Model {
    score::KindAccuracy accuracy;
    double ms = 0.0;  ///< above 0
  };
  std::string machine;
  double tokens = 0.0;  ///< of the measured times
  std::vector<Model> models;
};

/// Takes the times at the smallest number of tokens measured, and leaves out models
/// whose attention has none there.
[[nodiscard]] AccuracyChart accuracy_chart(
    const score::BenchChart& times, const std::vector<score::KindAccuracy>& accuracies);

/// score::KindAccuracy in per cent against milliseconds on a logarithmic axis, with
/// deviations.
[[nodiscard]] Scene draw(const AccuracyChart& chart, const Look& look = {});

}  // namespace oa::plot
