#include "oa/score/sparsity.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using oa::qubo::SolvedProblem;
using oa::score::Sparsity;

namespace {

SolvedProblem solution(int n, int m) {
  SolvedProblem s;
  s.problem.n = n;
  s.problem.m = m;
  return s;
}

}  // namespace

TEST_SUITE_BEGIN("sparsity");

TEST_CASE("values are counted for each query and for each place in an image") {
  Sparsity s;
  SolvedProblem first = solution(2, 3);
  first.x = {1, 0, 1, 0, 0, 0};
  SolvedProblem second = solution(2, 3);
  second.x = {1, 1, 1, 0, 1, 0};
  s.add(first);
  s.add(second);
  CHECK(s.queries() == 4);
  CHECK(s.share() == 0.5);
  CHECK(s.mean() == 1.5);
  CHECK(s.quantile(0.0) == 0.0);
  CHECK(s.quantile(0.5) == 1.0);
  CHECK(s.quantile(1.0) == 3.0);
  CHECK(s.by_query() == std::vector<double>{2.5, 0.5});
}

TEST_CASE("real coefficients count where they are not 0; sizes may differ") {
  Sparsity s;
  SolvedProblem real = solution(1, 2);
  real.real_x = {0.25F, 0.0F};
  SolvedProblem wide = solution(2, 4);
  wide.x = {1, 1, 1, 1, 0, 0, 0, 1};
  s.add(real);
  s.add(wide);
  CHECK(s.share() == 0.6);
  CHECK(s.by_query() == std::vector<double>{2.5, 1.0});
}

TEST_CASE("without queries there is no mean") {
  CHECK(std::isnan(Sparsity().share()));
  CHECK(std::isnan(Sparsity().mean()));
  CHECK(std::isnan(Sparsity().quantile(0.5)));
  CHECK(Sparsity().by_query().empty());
}

TEST_SUITE_END();
