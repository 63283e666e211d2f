#include "oa/encode/encode.h"

#include <algorithm>

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

}  // namespace

void encode(const attention::Problem& problem, qubo::ImageProblem& to) {
  to.m = problem.j.rows;
  to.n = problem.h.rows;
  to.d = problem.v.cols;
  pack(problem.j, 1.0F, to.j);
  pack(problem.h, 1.0F, to.h);
  pack(problem.v, problem.output_scale, to.v);
}

}  // namespace oa::encode
