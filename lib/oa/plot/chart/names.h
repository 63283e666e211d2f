#pragma once

#include "oa/plot/axes.h"
#include "oa/plot/scene.h"

#include <string>
#include <vector>

namespace oa::plot {

/// The height of a name in a column of names.
inline constexpr double kNameRow = 16.0;

/// The name of a point, whose place is in units of the axes.
struct PointName {
  std::string name;
  Point at;
  Color color;
  int mark = 0;  ///< the point's mark: draw_mark()
};

/// Draws names in a column to the right of the chart, close to the heights of their
/// points and in the same order, each after the mark of its point.  Names do not
/// overlap if the chart is high enough for all.
void draw_names_beside(const Frame& frame,
                       const std::vector<PointName>& names,
                       Scene& scene);

}  // namespace oa::plot
