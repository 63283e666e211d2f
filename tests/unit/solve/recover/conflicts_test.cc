#include "oa/solve/recover/conflicts.h"

#include "../conflict/random_conflicts.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace oa::solve {
namespace {

qubo::Quadratic pair_of(double linear, double coupling) {
  qubo::Quadratic f(2);
  f.linear = {linear, 2.0 * linear};
  f.add(qubo::Terms{{0, 1, coupling}});
  return f;
}

bool is_independent(const Conflicts& c, const std::vector<int>& vertices) {
  return std::ranges::none_of(vertices, [&](int v) {
    return std::ranges::any_of(
        vertices, [&](int u) { return std::ranges::binary_search(c.row(v), u); });
  });
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("a coupling conflicts from the gain of one of its variables") {
    const auto equal = find_conflicts(pair_of(-3.0, 3.0), {});
    REQUIRE(equal);
    CHECK(equal->pairs() == 1);
    CHECK(equal->weights == std::vector<std::int64_t>{3, 6});
    CHECK(!find_conflicts(pair_of(-3.0, 2.0), {}));
    CHECK(!find_conflicts(pair_of(-0.3, 0.3 - 0x1p-54), {}));
    CHECK(!find_conflicts(pair_of(3.0, 1.0), {}));
  }

  TEST_CASE("removing conflicts never raises the energy") {
    int found = 0;
    test::each_fork(Rng(211), 400, [&](Rng& rng, int t) {
      const auto f = random_conflicts(rng,
                                      {.n = 8,
                                       .density = 0.2 + 0.6 * rng.uniform(),
                                       .most_weight = 1 + t % 7,
                                       .further = t % 3 * 0.2,
                                       .too_small = t % 2 * 0.2});
      const auto c = find_conflicts(f, {});
      if (!c) {
        return;
      }
      ++found;
      ref::each_x(f.size(), [&](const auto& x) {
        const auto vertices = c->independent(x);
        const double energy = qubo::energy(f, c->x_of(vertices, f.size()));
        REQUIRE(is_independent(*c, vertices));
        REQUIRE(energy <= qubo::energy(f, x));
        const auto units = static_cast<double>(c->constant - c->value(vertices));
        REQUIRE(energy == f.offset + std::ldexp(units, c->unit));
      });
    });
    CHECK(found > 200);
  }

  TEST_CASE("numbers of too many digits, and random couplings, have no conflicts") {
    auto wide = pair_of(-1.0, 4.0);
    wide.linear[1] = -0x1p-80;
    CHECK(!find_conflicts(wide, {}));
    Rng rng(213);
    CHECK(!find_conflicts(ref::normal_quadratic(rng, 60, 1.0), {}));
    CHECK(!find_conflicts(qubo::Quadratic(3), {}));
  }
}

}  // namespace oa::solve
