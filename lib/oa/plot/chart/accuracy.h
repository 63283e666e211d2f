#pragma once

#include "oa/plot/chart/bench.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::plot {

/// Accuracies of models, and times of their attention.
struct AccuracyChart {
  struct Model {
    score::KindAccuracy accuracy;
    double ms = 0.0;  ///< time in milliseconds, above 0
  };
  std::string machine;
  double tokens = 0.0;  ///< number of tokens in the measured times
  std::vector<Model> models;
};

/// Uses times at the smallest number of tokens measured.
/// Omits models whose attention was not measured there.
[[nodiscard]] AccuracyChart accuracy_chart(
    const score::BenchChart& times, const std::vector<score::KindAccuracy>& accuracies);

/// Draws accuracies in per cent, with deviations,
/// against milliseconds on a logarithmic axis.
[[nodiscard]] Scene draw(const AccuracyChart& chart, const Look& look = {});

}  // namespace oa::plot
