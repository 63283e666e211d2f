#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oa::plot {

/// The numbers of a box; all 0 if count is 0.  Quartiles are numpy's, linear between
/// order statistics.  Whiskers end at the last value within 1.5 interquartile ranges of
/// the box.  The notch, median -+ 1.57 IQR / sqrt(count), is about the 95 % interval
/// for comparing two medians (McGill, Tukey, Larsen 1978).
struct Box {
  std::int64_t count = 0;
  double low_whisker = 0.0;
  double low_quartile = 0.0;
  double median = 0.0;
  double high_quartile = 0.0;
  double high_whisker = 0.0;
  double notch_low = 0.0;
  double notch_high = 0.0;
  std::vector<double> outliers;  ///< values beyond the whiskers, ascending
};

[[nodiscard]] Box make_box(std::vector<double> values);

/// Predicted probabilities of the true class, for several runs, by class.
struct BoxPlot {
  struct Run {
    std::string name;
    std::vector<Box> boxes;  ///< a box for each class
  };
  std::vector<Run> runs;
};

struct BoxSettings {
  bool notches = false;
  bool outliers = false;
};

/// Draws a class's runs side by side.
/// Classes that do not fit go into further charts below.
[[nodiscard]] Scene draw(const BoxPlot& plot,
                         const BoxSettings& settings = {},
                         const Look& look = {});

}  // namespace oa::plot
