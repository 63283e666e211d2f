#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"
#include "oa/score/measured.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::plot {

/// Three charts with logarithmic axes: time against tokens with exponents, the roofline
/// with two measured roofs, and memory against tokens.  If there are more lines than
/// colours, lines of a family share a colour and marks distinguish them.
[[nodiscard]] Scene draw(const score::BenchChart& chart, const Look& look = {});

}  // namespace oa::plot
