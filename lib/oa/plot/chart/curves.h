#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"
#include "oa/score/measured.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::plot {

struct CurveSettings {
  bool log = false;    ///< logarithmic axis of the loss
  int smooth = 1;      ///< each value becomes the mean of the last `smooth` points
  bool steps = false;  ///< points are steps
};

/// Loss and accuracy over epochs or steps: training as lines, test as dashed lines.
/// The two charts lie side by side, or one below the other if there is less room.
[[nodiscard]] Scene draw(const std::vector<score::Curve>& curves,
                         const CurveSettings& settings = {},
                         const Look& look = {});

}  // namespace oa::plot
