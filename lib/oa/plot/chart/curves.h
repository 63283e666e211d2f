#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::plot {

/// The course of one training, a point for each epoch or for some of its steps.  Values
/// that were not measured are empty.
struct Curve {
  std::string name;
  struct Epoch {
    double epoch = 0.0;  ///< its number, or that of the step
    std::optional<double> train_loss;
    std::optional<double> train_accuracy;
    std::optional<double> test_loss;  ///< of the test images, else of those held out
    std::optional<double> test_accuracy;
  };
  std::vector<Epoch> epochs;
  bool held_out = false;  ///< test_... are of images held out
};

struct CurveSettings {
  bool log = false;    ///< the axis of the loss
  int smooth = 1;      ///< shows the mean over this many points, up to each one
  bool steps = false;  ///< points are steps
};

/// Loss and accuracy over epochs or steps: training as lines, test as dashed lines. The
/// two charts lie side by side, or one below the other where the width is less.
[[nodiscard]] Scene draw(const std::vector<Curve>& curves,
                         const CurveSettings& settings = {},
                         const Look& look = {});

}  // namespace oa::plot
