#include "oa/qubo/components.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace oa;

namespace {

using Sets = std::vector<std::vector<int>>;

/// 0 - 3 - 1 and 2 - 5; 4 alone.
const Sets kNeighbours{{3}, {3}, {5}, {0, 1}, {}, {2}};

bool visit_all(int i, const auto& visit) {
  for (const int k : kNeighbours[static_cast<std::size_t>(i)]) {
    visit(k);
  }
  return true;
}

}  // namespace

TEST_SUITE_BEGIN("qubo");

TEST_CASE("components are what couplings connect, through others too") {
  const auto visit = [](int i, const auto& each) { return visit_all(i, each); };
  CHECK(qubo::components(std::vector<bool>(6), visit) == Sets{{0, 3, 1}, {2, 5}, {4}});
  CHECK(qubo::components({}, visit).empty());
}

TEST_CASE("components skip removed vertices, and end when stopped") {
  const auto visit = [](int i, const auto& each) { return visit_all(i, each); };
  CHECK(qubo::components({false, false, true, true, false, false}, visit) ==
        Sets{{0}, {1}, {4}, {5}});
  const auto only_zero = [](int i, const auto& each) {
    return i == 0 && visit_all(i, each);
  };
  CHECK(qubo::components(std::vector<bool>(6), only_zero) == Sets{{0, 3}});
}

TEST_SUITE_END();
