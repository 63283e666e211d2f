#pragma once

#include "oa/plot/axes.h"
#include "oa/plot/scene.h"

#include <string>
#include <vector>

namespace oa::plot {

/// The height of a name in a column of them.
inline constexpr double kNameRow = 16.0;

/// What a point of a chart is called, in numbers of its axes.
struct PointName {
  std::string name;
  Point at;
  Color color;
  int mark = 0;  ///< of the point: draw_mark()
};

/// Names in a column to the right of the chart, in the order of the heights of their
/// points and near these, each behind the mark of its point.  None overlap in a chart
/// that is high enough for all.
void draw_names_beside(const Frame& frame,
                       const std::vector<PointName>& names,
                       Scene& scene);

}  // namespace oa::plot
