#include "oa/solve/method/open_nodes.h"

#include <doctest/doctest.h>

#include <cstdint>

namespace oa::solve {
namespace {

struct SearchNode {
  double bound = 0.0;
  std::int64_t number = 0;
};

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("the recent node is the last one inserted, or else that of least bound") {
    const qubo::Quadratic f(1);
    const Solution known{0.0, {0}};
    const PartTask task{.f = f, .settings = {}, .known = known};
    OpenNodes<SearchNode> nodes(task, 1.0);
    for (int i = 0; i < 4; ++i) {
      nodes.insert({-10.0 + i, i});
    }
    CHECK(nodes.take_recent().number == 3);
    CHECK(nodes.take_recent().number == 0);  // none was inserted since
    nodes.insert({-8.5, 4});
    nodes.insert({-9.5, 5});
    CHECK(nodes.take_first().number == 5);
    CHECK(nodes.take_recent().number == 1);
    nodes.insert({-1.0, 6});
    CHECK(nodes.take_recent().number == 6);
    CHECK(nodes.take_last().number == 2);
    CHECK(nodes.take_last().number == 4);
    CHECK(nodes.empty());
  }
}

}  // namespace oa::solve
