#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <string>
#include <vector>

namespace oa::plot {

/// Two numbers of many things, in groups: what one costs and what it gives.
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

/// y against x, a line through the items of each group.  An axis is logarithmic where
/// all numbers are positive and the largest is 20 times the smallest or more.
[[nodiscard]] Scene draw(const Scatter& scatter, const Look& look = {});

}  // namespace oa::plot
