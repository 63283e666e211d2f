#include "oa/solve/heuristic/cooling.h"

#include <doctest/doctest.h>

#include <utility>

namespace oa::solve {

TEST_SUITE("solve") {
  TEST_CASE("cooling ends where the least rise is ten temperatures, and never heats") {
    const Temperatures real({.sweeps = 9}, 1.0, 4.0);
    CHECK(real(0.0) == doctest::Approx(1.0));
    CHECK(real(1.0) == doctest::Approx(0.08));
    const Temperatures whole({.sweeps = 9}, 1.0, 4.0, 2.0);
    CHECK(whole(0.0) == doctest::Approx(1.0));
    CHECK(whole(1.0) == doctest::Approx(0.2));
    const Temperatures told({.sweeps = 9, .cold = 0.01}, 2.0, 4.0, 2.0);
    CHECK(told(1.0) == doctest::Approx(0.02));
    const Temperatures chilly({.sweeps = 9, .hot = 0.1}, 1.0, 4.0, 2.0);
    CHECK(chilly(0.0) == doctest::Approx(0.1));
    CHECK(chilly(1.0) == doctest::Approx(0.1));
  }

  TEST_CASE("schedules are geometric, linear, or linear in the inverse temperature") {
    for (const auto& [schedule, middle] : {std::pair(Schedule::Geometric, 2.0),
                                           std::pair(Schedule::Linear, 2.5),
                                           std::pair(Schedule::LinearBeta, 1.6)}) {
      const Temperatures t({9, schedule, 4.0, 1.0}, 1.0, 1.0);
      CHECK(t(0.0) == doctest::Approx(4.0));
      CHECK(t(0.5) == doctest::Approx(middle));
      CHECK(t(1.0) == doctest::Approx(1.0));
    }
  }
}

}  // namespace oa::solve
