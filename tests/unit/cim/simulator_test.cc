#include "oa/cim/simulator.h"

#include "oa_test.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace oa;

namespace {

cim::UploadedTask task() {
  // Two independent pairs.
  return {3, {4, {-8, 16, 0, 0, -12, 0, 0, -8, 24, -4}}};
}

}  // namespace

TEST_SUITE_BEGIN("cim");

TEST_CASE("shots are distinct, sorted, and have their energies") {
  const auto shots = cim::simulate_machine(task(), {}, Rng(1));
  REQUIRE(shots.size() >= 4);
  CHECK(shots.front().energy == -20.0);
  CHECK(std::ranges::is_sorted(shots, {}, &machine::Shot::energy));
  for (std::size_t k = 0; k < shots.size(); ++k) {
    std::vector<int> ones;
    for (int i = 0; i < 4; ++i) {
      if (shots[k].x[static_cast<std::size_t>(i)] != 0) {
        ones.push_back(i);
      }
    }
    CHECK(task().q.energy(ones) == shots[k].energy);
    for (std::size_t l = 0; l < k; ++l) {
      CHECK(shots[l].x != shots[k].x);
    }
  }
}

TEST_CASE("faults are drawn once for each task") {
  const cim::Faults faults{.drop = 2, .duplicate = 1, .corrupt = 1, .fail = 3};
  const auto drawn = cim::draw_faults(faults, 20, Rng(1));
  CHECK(std::ranges::count(drawn, cim::Fault::Drop) == 2);
  CHECK(std::ranges::count(drawn, cim::Fault::Fail) == 3);
  CHECK(std::ranges::count(drawn, cim::Fault::None) == 13);
  CHECK(drawn == cim::draw_faults(faults, 20, Rng(1)));
  CHECK(drawn != cim::draw_faults(faults, 20, Rng(2)));
}

TEST_CASE("names are those of the site") {
  CHECK(cim::result_name("Name0-19", 7) == "Name0-19_07");
  const std::vector<cim::UploadedTask> tasks{{2, {}}, {11, {}}};
  CHECK(cim::upload_name("a/Name0-19.tar.gz", tasks) == "Name0-19");
  CHECK(cim::upload_name("a/mat.tar.gz", tasks) == "mat2-11");
}

TEST_SUITE_END();
