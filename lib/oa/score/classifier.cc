#include "oa/score/classifier.h"

#include "oa/base/number.h"
#include "oa/score/aggregate.h"

#include <algorithm>

namespace oa::score {
namespace {

num::Matrix matrix_of(const std::vector<float>& values, int rows, int cols) {
  num::Matrix to(rows, cols);
  for (int i = 0; i < rows; ++i) {
    std::copy_n(values.begin() + std::ptrdiff_t{i} * cols, cols, to.row(i));
  }
  return to;
}

}  // namespace

parts::Layout readout_layout(const model::Config& config) {
  parts::Layout layout;
  const model::Readout declared(config, layout);
  return layout;
}

Classifier::Place::Place(const model::Readout& readout, int rows, int dim)
    : arena(readout.cost(rows).workspace),
      workspace(readout.workspace(rows, arena)),
      output(rows, dim) {}

Classifier::Classifier(const model::Config& config, const parts::Values& values)
    : config_(config),
      readout_(config, layout_),
      weights_(layout_),
      heads_(model::heads_of(config, config.layers - 1)),
      how_(model::weights_of(config, config.layers - 1)) {
  weights_.set(values);
}

std::string Classifier::refusal(std::span<const qubo::SolvedProblem> heads) const {
  const qubo::Problem& first = heads.front().problem;
  // Any number of tokens is allowed if each token has a query.
  const bool any_length = config_.takes_sequences() && config_.query_count(1) == 1;
  const int queries = any_length ? first.n : config_.query_count();
  if (first.d != config_.dim || first.n != queries) {
    return format(first.n) + " queries of width " + format(first.d) +
           " (the model of the head has " + format(queries) + " of width " +
           format(config_.dim) + ")";
  }
  if (std::ssize(heads) != heads_) {
    return format(int(std::ssize(heads))) + " heads (the model has " + format(heads_) +
           ")";
  }
  if (config_.layers > 1 && first.place.layer + 1 != config_.layers) {
    return "answers of layer " + format(first.place.layer) +
           " (oa-qubo --answers poses the next layer with them)";
  }
  return {};
}

num::ConstView Classifier::scores(std::span<const qubo::SolvedProblem> heads) {
  const qubo::SolvedProblem& s = heads.front();
  const int n = s.problem.n;
  const int m = s.problem.m;
  Place& here = places_.try_emplace(n, readout_, n, config_.dim).first->second;
  if (heads.size() == 1 && !s.problem.of_task()) {
    const num::Matrix v = matrix_of(s.problem.v, m, s.problem.d);
    model::aggregate(config_, coefficients_of(s), v, 1.0F, here.output);
  } else {
    aggregate(heads, how_, here.output);
  }
  return readout_.forward(weights_, here.output, here.workspace);
}

}  // namespace oa::score
