#include "oa/score/classifier.h"

#include <algorithm>
#include <cassert>

namespace oa::score {
namespace {

template <class Number>
num::Matrix matrix_of(std::span<const Number> values, int rows, int cols) {
  num::Matrix to(rows, cols);
  auto from = values.begin();
  for (int i = 0; i < rows; ++i, from += cols) {
    std::transform(
        from, from + cols, to.row(i), [](Number v) { return static_cast<float>(v); });
  }
  return to;
}

}  // namespace

parts::Layout readout_layout(const model::Config& config) {
  parts::Layout layout;
  const model::Readout declared(config, layout);
  return layout;
}

Classifier::Classifier(const model::Config& config, const parts::Values& values)
    : config_(config),
      readout_(config, layout_),
      arena_(readout_.cost(config.query_count()).workspace),
      workspace_(readout_.workspace(config.query_count(), arena_)),
      weights_(layout_),
      output_(config.query_count(), config.dim) {
  weights_.set(values);
}

std::vector<double> Classifier::classify(const qubo::ImageSolution& s) {
  assert(fits(s.problem));
  const int n = s.problem.n;
  const int m = s.problem.m;
  const num::Matrix x = s.real_x.empty() ? matrix_of<std::uint8_t>(s.x, n, m)
                                         : matrix_of<float>(s.real_x, n, m);
  const num::Matrix v = matrix_of<float>(s.problem.v, m, s.problem.d);
  model::aggregate(config_, x, v, 1.0F, output_);
  const num::ConstView scores = readout_.forward(weights_, output_, workspace_);
  return model::probabilities(model::first_row(scores));
}

}  // namespace oa::score
