#include "oa/solve/arithmetic/whole.h"

#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

namespace oa::solve {

TEST_SUITE("solve") {
  TEST_CASE("whole numbers and doubles are the same function") {
    test::each_fork(Rng(81), 100, [&](Rng& rng) {
      const auto drawn = ref::random_quadratic(rng, 1 + test::below(rng, 7));
      auto f = converted(drawn, qubo::Vartype::Binary).f;
      f.add(qubo::Terms{{0, f.size() - 1, 0x1p-60}});  // makes rests
      const int unit = digits_of(f).unit;
      CHECK(unit >= -60);
      const Stop never;
      Pace pace(never);
      qubo::Quadratic back = in_doubles(in_whole_numbers(f, unit, pace));
      const TwoDoubles constant = in_doubles(constant_of(f, unit), unit);
      back.add_constant(constant.value);
      back.add_constant(constant.rest);
      ref::each_x(f.size(), [&](const auto& x) {
        CHECK(exact_energy(back, x).two() == exact_energy(f, x).two());
      });
    });
  }

  TEST_CASE("digits of a function") {
    qubo::Quadratic f(2);
    CHECK(digits_of(f).unit == 0);
    f.linear = {3.0, -0.375};
    const Digits digits = digits_of(f);
    CHECK(digits.total == 3.375);
    CHECK(digits.unit == -3);
    CHECK(digits.top >= 2);
    CHECK(digits.top <= 4);
    f.linear[1] = 0x1p-1074;
    CHECK(digits_of(f).unit == -1074);
  }
}

}  // namespace oa::solve
