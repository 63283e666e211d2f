#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <string>
#include <vector>

namespace oa::plot {

/// Pairs of numbers in groups, such as cost and benefit.
struct Scatter {
  struct Item {
    double x = 0.0;
    double y = 0.0;
    std::string label;  ///< beside the point; may be empty
  };
  struct Group {
    std::string name;
    std::vector<Item> items;  ///< in the order of the line through them
  };
  std::string x_name;
  std::string y_name;
  std::vector<Group> groups;  ///< each with an item at least
};

/// y against x, with a line through the items of each group.  An axis is logarithmic if
/// all numbers are positive and the largest is at least 20 times the smallest.
[[nodiscard]] Scene draw(const Scatter& scatter, const Look& look = {});

}  // namespace oa::plot
