#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oa::plot {

/// The numbers of a box.  Quartiles are numpy's, linear between order statistics.
/// Whiskers end at the last value within 1.5 interquartile ranges of the box.  The
/// notch is median -+ 1.57 IQR / sqrt(count), about the 95 % interval for comparing two
/// medians (R.  McGill, J.  W.  Tukey, W.  A.  Larsen 1978).  All 0 if count is 0.
struct Box {
  std::int64_t count = 0;
  double low_whisker = 0.0;
  double low_quartile = 0.0;
  double median = 0.0;
  double high_quartile = 0.0;
  double high_whisker = 0.0;
  double notch_low = 0.0;
  double notch_high = 0.0;
  std::vector<double> outliers;  ///< beyond the whiskers, ascending
};

[[nodiscard]] Box make_box(std::vector<double> values);

/// The predicted probability of the true class, by class, for several runs.
struct BoxPlot {
  struct Run {
    std::string name;
    std::vector<Box> boxes;  ///< one for each class
  };
  std::vector<Run> runs;
};

struct BoxSettings {
  bool notches = false;
  bool outliers = false;
};

/// Draws the runs side by side for each class.  Classes without room go into further
/// charts below.
[[nodiscard]] Scene draw(const BoxPlot& plot,
                         const BoxSettings& settings = {},
                         const Look& look = {});

}  // namespace oa::plot
