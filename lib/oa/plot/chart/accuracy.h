#pragma once

#include "oa/plot/chart/bench.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::plot {

/// The accuracy of a model with some kind of attention.
struct Accuracy {
  std::string name;
  std::string attention;  ///< name of a line of the benchmark, or its config
  double share = 0.0;     ///< from 0 to 1
  std::optional<double> deviation = {};  ///< over several trainings
};

/// Accuracies of models and the times of their attention.
struct AccuracyChart {
  struct Model {
    Accuracy accuracy;
    double ms = 0.0;  ///< above 0
  };
  std::string machine;
  double tokens = 0.0;  ///< of the measured times
  std::vector<Model> models;
};

/// Takes the times at the smallest number of tokens measured, and leaves out models
/// whose attention has none there.
[[nodiscard]] AccuracyChart accuracy_chart(const BenchChart& times,
                                           const std::vector<Accuracy>& accuracies);

/// Accuracy in per cent against milliseconds on a logarithmic axis, with deviations.
[[nodiscard]] Scene draw(const AccuracyChart& chart, const Look& look = {});

}  // namespace oa::plot
