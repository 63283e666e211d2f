#include "oa/score/aggregate.h"

#include <doctest/doctest.h>

#include <vector>

using namespace oa;

namespace {

/// Two queries of 1 and 3 variables, width 2.
qubo::SolvedProblem head() {
  qubo::SolvedProblem s;
  s.problem.m = 3;
  s.problem.n = 2;
  s.problem.d = 2;
  s.problem.sizes = {1, 3};
  s.problem.v = {1, 2, 10, 20, 100, 200};
  s.x = {1, 1, 0, 1};
  return s;
}

std::vector<float> rows(const num::Matrix& o) {
  return {o(0, 0), o(0, 1), o(1, 0), o(1, 1)};
}

}  // namespace

TEST_SUITE_BEGIN("score");

TEST_CASE("outputs are the residual plus the sum over heads") {
  std::vector<qubo::SolvedProblem> heads{head(), head()};
  heads[0].problem.residual = {0.5F, 0, 0, -1};
  heads[1].x = {0, 0, 1, 0};
  num::Matrix o(2, 2);
  score::aggregate(heads, attention::Normalization::Capped, o);
  CHECK(rows(o) == std::vector<float>{1.5F, 2, 60.5F, 120});
}

TEST_CASE("weights are capped, divided by their sum or left unchanged") {
  std::vector<qubo::SolvedProblem> heads{head()};
  heads[0].x.clear();
  heads[0].real_x = {0.5F, 0.25F, 0.25F, 0};
  num::Matrix o(2, 2);
  score::aggregate(heads, attention::Normalization::Capped, o);
  CHECK(rows(o) == std::vector<float>{0.5F, 1, 2.75F, 5.5F});
  score::aggregate(heads, attention::Normalization::Sum, o);
  CHECK(o(0, 0) == doctest::Approx(1.0));
  CHECK(o(1, 1) == doctest::Approx(11.0));
  heads[0].real_x = {0.5F, 1, 1, 0};
  score::aggregate(heads, attention::Normalization::None, o);
  CHECK(rows(o) == std::vector<float>{0.5F, 1, 11, 22});
}

TEST_SUITE_END();
