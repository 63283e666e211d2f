#include "oa/train/exact_forward.h"

#include "oa/solve/exact/box/exact.h"
#include "oa/solve/exact/box/level_search.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace oa::train {
namespace {

constexpr std::int64_t kLevelNodes = 10;  // nodes of levels are faster, so allow more

/// For each variable, a linear term above the possible gain of all others together:
/// the term forces the variable to 0.
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

/// Solves over two or more levels; linear terms are those of x times the top level.
class Optima {
 public:
  Optima(const qubo::Matrix& j, int levels, std::int64_t max_nodes) : top_(levels - 1) {
    solve::Settings settings;
    settings.max_nodes = levels == 2 ? max_nodes : kLevelNodes * max_nodes;
    if (levels == 2) {
      binary_.emplace(j, settings);
    } else {
      search_.emplace(j, levels, settings);
    }
  }

  solve::Result operator()(std::vector<double>& linear) {
    if (binary_) {
      return binary_->solve(linear, {});
    }
    for (double& h : linear) {
      h *= top_;
    }
    return search_->solve(linear, {});
  }

 private:
  int top_;
  std::optional<solve::Exact> binary_;
  std::optional<solve::LevelSearch> search_;
};

}  // namespace

attention::LevelSolver exact_optima(ExactCount* count, int max_nodes) {
  return [count, max_nodes](
             num::ConstView j, num::ConstView h, bool causal, int levels, num::View x) {
    std::vector<float> values;
    for (int i = 0; i < j.rows; ++i) {
      values.insert(values.end(), j.row(i), j.row(i) + j.cols);
    }
    const qubo::Matrix matrix(j.rows, values);
    const std::vector<double> never = causal ? too_much(matrix) : std::vector<double>{};
    Optima optima(matrix, levels, max_nodes);
    const auto top = static_cast<float>(levels - 1);
    for (int i = 0; i < h.rows; ++i) {
      std::vector<double> linear(h.row(i), h.row(i) + h.cols);
      if (causal) {
        std::copy(never.begin() + i + 1, never.end(), linear.begin() + i + 1);
      }
      const solve::Result result = optima(linear);
      if (count != nullptr) {
        ++count->qubos;
        count->proved += result.status == qubo::Status::ProvedOptimal ? 1 : 0;
      }
      for (int k = 0; k < x.cols; ++k) {
        x(i, k) =
            static_cast<float>(result.best[0].x[static_cast<std::size_t>(k)]) / top;
      }
    }
  };
}

}  // namespace oa::train
