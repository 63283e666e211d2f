#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::plot {

/// The course of one training, with a point for each epoch or for some of its steps.
/// Values that were not measured are empty.
struct Curve {
  std::string name;
  struct Epoch {
    double epoch = 0.0;  ///< number of the epoch or the step
    std::optional<double> train_loss;
    std::optional<double> train_accuracy;
    std::optional<double> test_loss;  ///< of the test images, or of those held out
    std::optional<double> test_accuracy;
  };
  std::vector<Epoch> epochs;
  bool held_out = false;  ///< test_... are of images held out
};

struct CurveSettings {
  bool log = false;    ///< logarithmic axis of the loss
  int smooth = 1;      ///< each value becomes the mean of the last `smooth` points
  bool steps = false;  ///< points are steps
};

/// Loss and accuracy over epochs or steps: training as lines, test as dashed lines.
/// The two charts lie side by side, or one below the other if there is less room.
[[nodiscard]] Scene draw(const std::vector<Curve>& curves,
                         const CurveSettings& settings = {},
                         const Look& look = {});

}  // namespace oa::plot
