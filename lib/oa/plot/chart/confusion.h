#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oa::plot {

/// How often images of a class were predicted as each class.
struct Confusion {
  std::string name;  ///< of the run
  int classes = 0;
  std::vector<std::int64_t> count;  ///< (classes,classes): true class, predicted class

  [[nodiscard]] std::int64_t at(int label, int predicted) const;
  [[nodiscard]] std::int64_t of_class(int label) const;
  [[nodiscard]] std::int64_t total() const;
  [[nodiscard]] std::int64_t correct() const;
};

/// A table of counts: right answers are blue, errors orange by their share of the row.
/// Columns without room go into further tables below.
[[nodiscard]] Scene draw(const Confusion& confusion, const Look& look = {});

}  // namespace oa::plot
