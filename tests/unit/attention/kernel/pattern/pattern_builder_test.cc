#include "oa/attention/kernel/pattern/pattern_builder.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <vector>

using namespace oa;
using attention::Pattern;
using attention::PatternBuilder;
using attention::Run;

namespace {

std::string why_no_rows(int keys,
                        const std::vector<std::int64_t>& row_ptr,
                        const std::vector<std::int32_t>& columns,
                        bool causal = false) {
  return test::message_of<InputError>(
      [&] { (void)attention::from_csr(keys, row_ptr, columns, causal); });
}

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

TEST_CASE("compressed rows become runs") {
  const std::vector<std::int64_t> row_ptr = {0, 3, 3, 5};
  const std::vector<std::int32_t> columns = {0, 1, 3, 1, 2};
  const Pattern p = attention::from_csr(4, row_ptr, columns, false);
  CHECK(runs_of(p, 0) == std::vector<Run>{{0, 2}, {3, 4}});
  CHECK(p.degree(1) == 0);
  CHECK(runs_of(p, 2) == std::vector<Run>{{1, 3}});
  CHECK(attention::from_csr(0, std::vector<std::int64_t>{0}, {}, true).queries() == 0);
}

TEST_CASE("invalid compressed rows are refused with the reason") {
  CHECK(why_no_rows(4, {}, {}) == "the row pointers do not begin with 0");
  CHECK(why_no_rows(4, {1, 2}, {0, 1}) == "the row pointers do not begin with 0");
  CHECK(why_no_rows(4, {0, 2, 1, 2}, {0, 1}) ==
        "query 1: its row pointers decrease from 2 to 1");
  CHECK(why_no_rows(4, {0, 2}, {0, 1, 2}) ==
        "the row pointers end with 2, but 3 columns are given");
  CHECK(why_no_rows(4, {0, 9, 2}, {0, 1}) ==
        "query 1: its row pointers decrease from 9 to 2");
  CHECK(why_no_rows(4, {0, 1, 2}, {0, 4}) == "query 1: key 4 (expected 0 to 3)");
  CHECK(why_no_rows(4, {0, 1}, {-1}) == "query 0: key -1 (expected 0 to 3)");
  CHECK(why_no_rows(4, {0, 2}, {1, 1}) ==
        "query 0: key 1 after key 1 (keys must increase)");
  CHECK(why_no_rows(4, {0, 1, 3}, {0, 1, 2}, true) ==
        "query 1: key 2 is later than it, in a causal layer");
}

TEST_SUITE_END();
