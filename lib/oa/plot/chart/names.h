#pragma once

#include "oa/plot/axes.h"
#include "oa/plot/scene.h"

#include <string>
#include <vector>

namespace oa::plot {

/// The height of a name in a column of names.
inline constexpr double kNameRow = 16.0;

/// The name of a point, whose position is in units of the axes.
struct PointName {
  std::string name;
  Point at;
  Color color;
  int mark = 0;  ///< the point's mark, see draw_mark()
};

/// Draws names in a column right of the chart,
/// near the heights of their points and in their order, each after its point's mark.
/// Names do not overlap if the chart is high enough for all.
void draw_names_beside(const Frame& frame,
                       const std::vector<PointName>& names,
                       Scene& scene);

}  // namespace oa::plot
