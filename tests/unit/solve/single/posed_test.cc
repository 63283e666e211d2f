#include "oa/solve/single/posed.h"

#include "oa/solve/arithmetic/whole.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <cmath>

namespace oa::solve {

TEST_SUITE("solve") {
  TEST_CASE("a problem is posed as the same numbers, to be minimised over 0 and 1") {
    test::each_fork(Rng(71), 200, [&](Rng& rng) {
      auto f = ref::random_quadratic(rng, 1 + test::below(rng, 8));
      for (double& h : f.linear) {
        h *= 0.1;  // not a multiple of the step of other terms
      }
      const Posed posed = pose(f);
      CHECK(posed.error == 0.0);
      CHECK(posed.scale == 0);
      CHECK(posed.g.vartype == qubo::Vartype::Binary);
      CHECK(posed.g.sense == qubo::Sense::Min);
      CHECK(digits_of(posed.g).unit >= posed.unit);
      ref::each_x(f.size(), [&](const auto& x) {
        ExactSum difference = exact_energy(posed.g, x);
        if (f.sense == qubo::Sense::Min) {
          difference.subtract(exact_energy(f, x));
        } else {
          difference.add(exact_energy(f, x));
        }
        CHECK(difference.value() == 0.0);
      });
    });
  }

  TEST_CASE("the couplings of a problem that needs no change are not copied") {
    qubo::Quadratic f(2);
    f.linear = {1.0, 0.1};
    CHECK(&pose(f).g.couplings() == &f.couplings());
  }

  TEST_CASE("very small and very large numbers are scaled, exactly") {
    for (const double size : {0x1p-1074, 0x1p900}) {
      qubo::Quadratic f(2);
      f.linear = {3.0 * size, -size};
      f.add(qubo::Terms{{0, 1, -5.0 * size}});
      const Posed posed = pose(f);
      CHECK(posed.error == 0.0);
      CHECK(std::abs(posed.g.linear[0]) < 1.0);
      CHECK(std::abs(posed.g.linear[0]) > 0x1p-10);
      CHECK(std::ldexp(posed.g.linear[0], posed.scale) == f.linear[0]);
      CHECK(std::ldexp(energy(posed.g, std::vector<std::uint8_t>{1, 1}), posed.scale) ==
            -3.0 * size);
    }
  }

  TEST_CASE("numbers of very different size are rounded, within the stated error") {
    qubo::Quadratic f(3);
    f.linear = {1.0, 0x1p-90 + 0x1p-130, -0x1p-130};
    const Posed posed = pose(f);
    CHECK(posed.error > 0.0);
    CHECK(posed.error < 0x1p-90);
    CHECK(posed.g.linear[0] == 1.0);
    CHECK(posed.g.linear[1] == 0x1p-90);
    CHECK(posed.g.linear[2] == 0.0);
  }
}

}  // namespace oa::solve
