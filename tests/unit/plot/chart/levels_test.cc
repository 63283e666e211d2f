#include "oa/plot/chart/levels.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace oa;
using Cells = std::vector<std::int64_t>;

TEST_SUITE_BEGIN("plot");

TEST_CASE("an Ising matrix and the QUBO made from it use the same levels") {
  // Couplings A_01 = 3, A_02 = -5, A_12 = 0; fields 7, -127, 1.
  const Cells ising{0, 3, -5, 7, 3, 0, 0, -127, -5, 0, 0, 1, 7, -127, 1, 0};
  const Cells qubo{
      4 * (3 - 5) - 4 * 7, -24, 40, 0, 4 * 3 + 4 * 127, 0, 0, 0, 4 * -5 - 4};
  plot::Levels a;
  plot::Levels b;
  REQUIRE(a.add_matrix(ising, 4));
  REQUIRE(b.add_matrix(qubo, 3));
  CHECK(a.couplings == b.couplings);
  CHECK(a.fields == b.fields);
  CHECK(a.spins_max == 4);
  CHECK(b.spins_max == 4);
  CHECK(plot::level_use(a.fields).largest == 127);
  CHECK(plot::level_use(a.couplings).distinct == 3);
  CHECK(plot::level_use(a.couplings).zeros == 1);
}

TEST_CASE("a matrix that is not in 8-bit levels is not counted") {
  plot::Levels levels;
  CHECK_FALSE(levels.add_matrix(Cells{0, 4, 0, 0}, 2));      // not a multiple of 8
  CHECK_FALSE(levels.add_matrix(Cells{2, 0, 0, 0}, 2));      // a field between levels
  CHECK_FALSE(levels.add_matrix(Cells{0, 128, 128, 0}, 2));  // too large
  CHECK_FALSE(levels.add_matrix(Cells{1, 2, 2, 0}, 2));      // Ising with a diagonal
  CHECK_FALSE(levels.add_matrix(Cells{0, 2, 3, 0}, 2));      // not symmetric
  CHECK(levels.tasks == 0);
  CHECK(plot::level_use(levels.couplings).total == 0);
}

TEST_SUITE_END();
