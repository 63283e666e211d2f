#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oa::plot {

/// Counts of images by true class and predicted class.
struct Confusion {
  std::string name;  ///< name of the run
  int classes = 0;
  std::vector<std::int64_t> count;  ///< (classes,classes): true, predicted

  [[nodiscard]] std::int64_t at(int label, int predicted) const;
  [[nodiscard]] std::int64_t of_class(int label) const;
  [[nodiscard]] std::int64_t total() const;
  [[nodiscard]] std::int64_t correct() const;
};

/// Draws a table of counts: right answers are blue, errors are orange according to
/// their share of the row.  Columns that do not fit go into further tables below.
[[nodiscard]] Scene draw(const Confusion& confusion, const Look& look = {});

}  // namespace oa::plot
