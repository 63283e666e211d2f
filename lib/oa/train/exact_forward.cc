#include "oa/train/exact_forward.h"

#include "oa/solve/exact/exact.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace oa::train {
namespace {

// A problem of an untrained layer can take long to prove; what is found by then trains
// as well.  Trained ones take some hundred nodes at most.
constexpr std::int64_t kMostNodes = 100000;

/// For each variable more than all others together can bring: as its h, it is 0 in
/// every optimum.
std::vector<double> too_much(const qubo::Matrix& j) {
  std::vector<double> all;
  for (int i = 0; i < j.size(); ++i) {
    double sum = 1.0;
    for (int k = 0; k < j.size(); ++k) {
      sum += std::abs(j(i, k));
    }
    all.push_back(sum);
  }
  return all;
}

}  // namespace

attention::BinarySolver exact_optima(ExactCount* count) {
  return [count](num::ConstView j, num::ConstView h, bool causal, num::View x) {
    std::vector<float> values;
    for (int i = 0; i < j.rows; ++i) {
      values.insert(values.end(), j.row(i), j.row(i) + j.cols);
    }
    const qubo::Matrix matrix(j.rows, values);
    const std::vector<double> never = causal ? too_much(matrix) : std::vector<double>{};
    solve::Settings settings;
    settings.max_nodes = kMostNodes;
    solve::Exact exact(matrix, settings);
    const solve::Stop no_stop;
    for (int i = 0; i < h.rows; ++i) {
      std::vector<double> linear(h.row(i), h.row(i) + h.cols);
      if (causal) {
        std::copy(never.begin() + i + 1, never.end(), linear.begin() + i + 1);
      }
      const solve::Result result = exact.solve(linear, no_stop);
      if (count != nullptr) {
        ++count->qubos;
        count->proved += result.status == qubo::Status::ProvedOptimal ? 1 : 0;
      }
      for (int k = 0; k < x.cols; ++k) {
        x(i, k) = result.best[0].x[static_cast<std::size_t>(k)] != 0 ? 1.0F : 0.0F;
      }
    }
  };
}

}  // namespace oa::train
