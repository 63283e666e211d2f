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
  int smooth = 1;      ///< plots means over the last `smooth` points
  bool steps = false;  ///< x counts steps, not epochs
};

/// Draws loss and accuracy over epochs or steps: solid lines for training, dashed lines
/// for test.  The two charts are side by side, or stacked if the scene is narrow.
[[nodiscard]] Scene draw(const std::vector<score::Curve>& curves,
                         const CurveSettings& settings = {},
                         const Look& look = {});

}  // namespace oa::plot
