#include "oa/score/aggregate.h"

#include "oa/attention/coefficients.h"
#include "oa/qubo/levels.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace oa::score {
num::Matrix coefficients_of(const qubo::SolvedProblem& s) {
  const qubo::Problem& p = s.problem;
  num::Matrix x(p.n, p.m);
  for (int i = 0; i < p.n; ++i) {
    if (!s.real_x.empty()) {
      std::ranges::copy(p.row(s.real_x, i), x.row(i));
    } else if (p.coefficients == Coefficients::Levels) {
      const float steps = p.steps[static_cast<std::size_t>(i)];
      std::ranges::transform(
          qubo::levels_of(qubo::code_of(p), p.x_row(s.x, i)),
          x.row(i),
          [&](std::uint8_t level) { return static_cast<float>(level) / steps; });
    } else {
      std::ranges::copy(p.row(s.x, i), x.row(i));
    }
  }
  return x;
}

void aggregate(std::span<const qubo::SolvedProblem> heads,
               attention::Normalization how,
               num::View o) {
  const std::vector<float>& residual = heads.front().problem.residual;
  for (int i = 0; i < o.rows; ++i) {
    if (residual.empty()) {
      std::fill_n(o.row(i), o.cols, 0.0F);
    } else {
      std::copy_n(residual.data() + std::ptrdiff_t{i} * o.cols, o.cols, o.row(i));
    }
  }
  std::vector<float> sums(static_cast<std::size_t>(o.rows));
  for (const qubo::SolvedProblem& head : heads) {
    assert(head.problem.n == o.rows && head.problem.d == o.cols);
    num::Matrix x = coefficients_of(head);
    attention::normalize(how, x, sums, x);
    for (int i = 0; i < o.rows; ++i) {
      const float* weights = x.row(i);
      for (int k = 0; k < head.problem.size(i); ++k) {
        if (weights[k] == 0.0F) {
          continue;
        }
        const float* value = head.problem.v.data() + std::ptrdiff_t{k} * o.cols;
        for (int c = 0; c < o.cols; ++c) {
          o.row(i)[c] += weights[k] * value[c];
        }
      }
    }
  }
}

}  // namespace oa::score
