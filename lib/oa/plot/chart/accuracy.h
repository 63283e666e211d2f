#pragma once

#include "oa/plot/chart/bench.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::plot {

/// How often a model with some kind of attention is right.
struct Accuracy {
  std::string name;
  std::string attention;  ///< as a line of the benchmark is called, or its config
  double share = 0.0;     ///< from 0 to 1
  std::optional<double> deviation = {};  ///< of several trainings
};

/// Accuracies of models beside the time that their attention takes.
struct AccuracyChart {
  struct Model {
    Accuracy accuracy;
    double ms = 0.0;  ///< above 0
  };
  std::string machine;
  double tokens = 0.0;  ///< at which times were measured
  std::vector<Model> models;
};

/// The times at the smallest number of tokens that was measured; models whose attention
/// was not measured there are left out.
[[nodiscard]] AccuracyChart accuracy_chart(const BenchChart& times,
                                           const std::vector<Accuracy>& accuracies);

/// Accuracy in per cent against milliseconds on a logarithmic axis, with deviations.
[[nodiscard]] Scene draw(const AccuracyChart& chart, const Look& look = {});

}  // namespace oa::plot
