#include "oa/score/aggregate.h"

#include "oa/attention/coefficients.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace oa::score {
namespace {

/// The coefficients as rows of m numbers, with 0 for variables that a query has not.
num::Matrix coefficients_of(const qubo::ImageSolution& s) {
  num::Matrix x(s.problem.n, s.problem.m);
  for (int i = 0; i < s.problem.n; ++i) {
    if (s.real_x.empty()) {
      std::ranges::copy(s.problem.row(s.x, i), x.row(i));
    } else {
      std::ranges::copy(s.problem.row(s.real_x, i), x.row(i));
    }
  }
  return x;
}

}  // namespace

void aggregate(std::span<const qubo::ImageSolution> heads,
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
  for (const qubo::ImageSolution& head : heads) {
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
