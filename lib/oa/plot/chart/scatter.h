#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"
#include "oa/score/measured.h"

#include <string>
#include <vector>

namespace oa::plot {

/// y against x, with a line through the items of each group.  An axis is logarithmic if
/// all numbers are positive and the largest is at least 20 times the smallest.
[[nodiscard]] Scene draw(const score::Scatter& scatter, const Look& look = {});

}  // namespace oa::plot
