#include "oa/train/exact_forward.h"

#include "oa/solve/exact/exact.h"

#include <limits>
#include <vector>

namespace oa::train {

attention::BinarySolver exact_optima() {
  return [](num::ConstView j, num::ConstView h, num::View x) {
    std::vector<float> values;
    for (int i = 0; i < j.rows; ++i) {
      values.insert(values.end(), j.row(i), j.row(i) + j.cols);
    }
    const qubo::Matrix matrix(j.rows, values);
    solve::Exact exact(matrix, {});
    const solve::Stop never({}, std::numeric_limits<double>::infinity());
    for (int i = 0; i < h.rows; ++i) {
      const std::vector<double> linear(h.row(i), h.row(i) + h.cols);
      const solve::Result result = exact.solve(linear, never);
      for (int k = 0; k < x.cols; ++k) {
        x(i, k) = result.best[0].x[static_cast<std::size_t>(k)] != 0 ? 1.0F : 0.0F;
      }
    }
  };
}

}  // namespace oa::train
