#include "oa/qubo/levels.h"

#include "oa_test.h"
#include "ref/levels.h"

#include <doctest/doctest.h>

#include <vector>

using namespace oa;

TEST_SUITE("qubo") {
  TEST_CASE("each level is written in valid spins that decode to it") {
    for (const Encoding encoding : ref::kEncodings) {
      for (int levels = 2; levels <= kMaxLevels; ++levels) {
        const qubo::LevelCode code(encoding, levels);
        CHECK(code.spins() == qubo::spins_of(encoding, levels));
        for (int level = 0; level < levels; ++level) {
          std::vector<std::uint8_t> y(static_cast<std::size_t>(code.spins()), 7);
          code.write(level, y);
          CHECK(code.sum(y) == level);
          CHECK(code.level(y) == level);
          CHECK(code.violations(y) == 0);
        }
      }
    }
  }
  TEST_CASE("a coefficient of two levels is one spin in every encoding") {
    for (const Encoding encoding : ref::kEncodings) {
      CHECK(qubo::spins_of(encoding, 2) == 1);
    }
  }
  TEST_CASE(
      "spins that an encoding does not allow are counted and read as the nearest "
      "level") {
    const qubo::LevelCode one_hot(Encoding::OneHot, 4);
    const std::vector<std::uint8_t> two{1, 0, 1};
    CHECK(one_hot.violations(two) == 1);
    CHECK(one_hot.sum(two) == 4);
    CHECK(one_hot.level(two) == 3);
    const std::vector<std::uint8_t> three{1, 1, 1};
    CHECK(one_hot.violations(three) == 3);
    const qubo::LevelCode wall(Encoding::DomainWall, 4);
    const std::vector<std::uint8_t> gap{0, 1, 1};
    CHECK(wall.violations(gap) == 1);
    CHECK(wall.level(gap) == 2);
    const std::vector<std::uint8_t> fine{1, 1, 0};
    CHECK(wall.violations(fine) == 0);
  }
  TEST_CASE("the energy of spins is that of their QUBO, violated or not") {
    Rng rng(22);
    for (int t = 0; t < 200; ++t) {
      const qubo::Problem p = ref::random_levels(rng.fork(t), 1 + t % 5);
      const qubo::SpinProblem spins = qubo::spin_problem(p, 0);
      for (int r = 0; r < 10; ++r) {
        std::vector<std::uint8_t> y(p.x_variables());
        for (std::uint8_t& one : y) {
          one = static_cast<std::uint8_t>(rng.below(2));
        }
        CHECK(qubo::energy(p, 0, y) ==
              doctest::Approx(qubo::energy(spins.j, spins.h, y) / spins.units)
                  .epsilon(1e-5));  // penalties are rounded up by 2^-20
      }
    }
  }
  TEST_CASE("valid spins have the energy of their levels, to the last bit") {
    Rng rng(23);
    for (int t = 0; t < 200; ++t) {
      const qubo::Problem p = ref::random_levels(rng.fork(t), 1 + t % 5);
      const qubo::LevelCode code = qubo::code_of(p);
      const qubo::SpinProblem spins = qubo::spin_problem(p, 0);
      std::vector<std::uint8_t> levels(static_cast<std::size_t>(p.m));
      for (std::uint8_t& one : levels) {
        one = static_cast<std::uint8_t>(rng.below(static_cast<unsigned>(p.levels)));
      }
      const auto y = qubo::spins_of(code, levels);
      CHECK(qubo::levels_of(code, y) == levels);
      CHECK(qubo::energy(p, 0, y) == qubo::energy(spins.j, spins.h, y) / spins.units);
    }
  }
}
