#include "oa/qubo/fixed.h"

#include "oa_test.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

using namespace oa;

TEST_SUITE_BEGIN("qubo");

TEST_CASE("the rest has the energies of the whole, for all fixed values") {
  test::each_fork(Rng(3), 200, [&](Rng& rng) {
    const int n = 1 + test::below(rng, 6);
    const qubo::Quadratic f = ref::random_quadratic(rng, n);
    std::vector<std::uint8_t> values;
    for (int i = 0; i < n; ++i) {
      values.push_back(static_cast<std::uint8_t>(rng.below(3)));
    }
    const qubo::Fixed fixed(f, values);
    const int open = fixed.rest().size();
    ref::each_x(open, [&](auto x) {
      const auto whole = fixed.whole(x);
      CHECK(fixed.part(whole) == x);
      for (std::size_t i = 0; i < values.size(); ++i) {
        CHECK((values[i] == qubo::kFree || whole[i] == values[i]));
      }
      ExactSum difference = qubo::exact_energy(fixed.rest().f, x);
      difference.subtract(qubo::exact_energy(f, whole));
      CHECK(difference.value() == 0.0);
    });
  });
}

TEST_SUITE_END();
