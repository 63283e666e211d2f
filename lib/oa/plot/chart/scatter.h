#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"
#include "oa/score/measured.h"

#include <string>
#include <vector>

namespace oa::plot {

/// Draws y against x, with a line through each group's items.  An axis is logarithmic
/// if all numbers are positive and the largest is at least 20 times the smallest.
[[nodiscard]] Scene draw(const score::Scatter& scatter, const Look& look = {});

}  // namespace oa::plot
