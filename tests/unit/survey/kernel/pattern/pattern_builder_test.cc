#include "survey/kernel/pattern/pattern_builder.h"

#include <doctest/doctest.h>

#include <vector>

using namespace oa;
using attention::Pattern;
using attention::PatternBuilder;
using attention::Run;

namespace {

std::vector<Run> runs_of(const Pattern& pattern, int query) {
  const auto runs = pattern.runs(query);
  return {runs.begin(), runs.end()};
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("the keys of a query become runs that neither overlap nor touch") {
  PatternBuilder builder(10);
  builder.see(7, 20);
  builder.see(-3, 2);
  builder.see(2, 4);
  builder.see(5, 5);
  builder.see(8, 9);
  builder.end_query();
  builder.end_query();
  builder.see(0, 1);
  builder.see(2, 9);
  builder.end_query(4);
  const Pattern p = builder.take();
  CHECK(p.queries() == 3);
  CHECK(runs_of(p, 0) == std::vector<Run>{{0, 4}, {7, 10}});
  CHECK(p.degree(1) == 0);
  CHECK(runs_of(p, 2) == std::vector<Run>{{0, 1}, {2, 5}});
}

TEST_SUITE_END();
