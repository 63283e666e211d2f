#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"
#include "oa/score/measured.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::plot {

/// Draws three charts with logarithmic axes: time against tokens, with exponents; the
/// roofline with two measured roofs; memory against tokens.  If there are more lines
/// than colours, lines of a family share a colour and differ by marks.
[[nodiscard]] Scene draw(const score::BenchChart& chart, const Look& look = {});

}  // namespace oa::plot
