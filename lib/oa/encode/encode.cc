#include "oa/encode/encode.h"

#include <algorithm>
#include <utility>

namespace oa::encode {
namespace {

void pack(num::ConstView from, float scale, std::vector<float>& to) {
  to.resize(static_cast<std::size_t>(from.rows) * static_cast<std::size_t>(from.cols));
  auto out = to.begin();
  for (int i = 0; i < from.rows; ++i) {
    out = std::transform(
        from.row(i), from.row(i) + from.cols, out, [&](float v) { return scale * v; });
  }
}

/// Leaves of each row of h what belongs to the first i + 1 variables.
void cut_causal(qubo::ImageProblem& problem) {
  std::vector<float> h;
  std::vector<int> sizes;
  for (int i = 0; i < problem.n; ++i) {
    const auto row = problem.query(i);
    sizes.push_back(std::min(i + 1, problem.m));
    h.insert(h.end(), row.begin(), row.begin() + sizes.back());
  }
  problem.h = std::move(h);
  problem.sizes = std::move(sizes);
}

}  // namespace

void encode(const attention::Problem& problem, qubo::ImageProblem& to) {
  to.m = problem.j.rows;
  to.n = problem.h.rows;
  to.d = problem.v.cols;
  pack(problem.j, 1.0F, to.j);
  pack(problem.h, 1.0F, to.h);
  pack(problem.v, problem.output_scale, to.v);
}

std::vector<qubo::ImageProblem> encode(std::span<const attention::Problem> heads,
                                       int layer,
                                       const qubo::ImageProblem& example) {
  std::vector<qubo::ImageProblem> all;
  for (const attention::Problem& head : heads) {
    qubo::ImageProblem& to = all.emplace_back();
    to.index = example.index;
    to.label = example.label;
    to.layer = layer;
    to.head = static_cast<int>(all.size()) - 1;
    to.heads = static_cast<int>(heads.size());
    if (to.head == 0) {
      to.residual = example.residual;
      to.per_row = example.per_row;
      to.targets = example.targets;
    }
    encode(head, to);
    if (head.causal) {
      cut_causal(to);
    }
  }
  return all;
}

}  // namespace oa::encode
