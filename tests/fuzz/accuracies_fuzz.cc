// Accuracies that are accepted are shares of 1, and can be drawn.
#include "fuzz/fuzz.h"
#include "oa/io/table/chart_data.h"
#include "oa/plot/chart/accuracy.h"

namespace oa {

void fuzz::one_input(Bytes bytes) {
  read_or_refuse(bytes, [](io::Input& input) {
    plot::AccuracyChart chart{"P", 49.0, {}};
    for (const score::KindAccuracy& one : io::read_accuracies(input)) {
      for (const double share : {one.share, one.deviation.value_or(0.0)}) {
        require(share >= 0.0 && share <= 1.0);
      }
      const double ms = 0.01 * static_cast<double>(1 + chart.models.size());
      chart.models.push_back({one, ms});
    }
    (void)plot::draw(chart);
  });
}

}  // namespace oa
