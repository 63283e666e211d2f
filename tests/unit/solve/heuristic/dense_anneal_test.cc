#include "oa/solve/heuristic/dense_anneal.h"

#include "ref/random_quadratic.h"
#include "ref/targets.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <vector>

namespace oa::solve {
namespace {

/// Dense, with multiples of `unit`, to be minimised over 0 and 1.
qubo::Quadratic dense_problem(Rng& rng, int n, double unit) {
  qubo::Quadratic f(n);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    f.linear[static_cast<std::size_t>(i)] = unit * (rng.below(101) - 50.0);
    for (int k = 0; k < i; ++k) {
      const double weight = 1.0 + rng.below(50);
      terms.push_back({k, i, unit * (rng.below(2) != 0 ? weight : -weight)});
    }
  }
  f.add(terms);
  return f;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("a read of a dense problem ends in a minimum, on each instruction set") {
    ref::on_each_target([&] {
      Rng rng(17);
      // Stored in one byte, in two, as floats and as doubles.
      for (const double unit : {1.0, 100.0, 0.25, 0.1, 1e-300, 1e300}) {
        for (const int n : {3, 15, 16, 17, 60}) {
          CAPTURE(unit);
          CAPTURE(n);
          const qubo::Quadratic f = dense_problem(rng, n, unit);
          REQUIRE(f.couplings().dense());
          DenseAnneal annealer(f);
          const Stop never;
          CHECK(!annealer.run({.cooling = {.sweeps = 50}}, rng.fork(1), never));
          std::vector<std::uint8_t> x(annealer.lowest().begin(),
                                      annealer.lowest().end());
          const double energy = qubo::energy(f, x);
          for (auto& bit : x) {
            bit ^= 1;
            CHECK(qubo::energy(f, x) >= energy - 1e-4 * unit);
            bit ^= 1;
          }
          if (n <= 17) {
            CHECK(energy == doctest::Approx(ref::best_value(f)));
          }
        }
      }
    });
  }

  TEST_CASE("a dense read that begins somewhere ends no higher") {
    Rng rng(23);
    const qubo::Quadratic f = dense_problem(rng, 40, 1.0);
    DenseAnneal annealer(f);
    const Stop never;
    for (int t = 0; t < 20; ++t) {
      const std::vector<std::uint8_t> start = test::random_x(rng, 40);
      for (const double hot : {1e-3, 1e3}) {
        (void)annealer.run(
            {.cooling = {.sweeps = 1, .hot = hot}, .starts = {&start, 1}},
            rng.fork(2),
            never);
        CHECK(qubo::energy(f, annealer.lowest()) <= qubo::energy(f, start));
      }
    }
  }

  TEST_CASE("a dense read ends at its target") {
    Rng rng(29);
    const qubo::Quadratic f = dense_problem(rng, 30, 1.0);
    DenseAnneal annealer(f);
    const Stop never;
    (void)annealer.run({.cooling = {.sweeps = 100}}, rng.fork(0), never);
    const double low = qubo::energy(f, annealer.lowest());
    (void)annealer.run(
        {.cooling = {.sweeps = 100'000'000}, .target = 0.5 * low}, rng.fork(1), never);
    CHECK(qubo::energy(f, annealer.lowest()) <= 0.5 * low);
  }

  TEST_CASE("above all fields, a higher temperature changes nothing") {
    ref::on_each_target([&] {
      Rng rng(31);
      // Sizes with padding lanes: a sanitizer sees if these lanes flip.
      for (const int n : {3, 13, 27}) {
        CAPTURE(n);
        const qubo::Quadratic f = dense_problem(rng, n, 1.0);
        DenseAnneal annealer(f);
        const auto lowest = [&](double hot) {
          const Cooling cooling{.sweeps = 20, .hot = hot, .cold = 0.1 * hot};
          (void)annealer.run({.cooling = cooling}, rng.fork(3), Stop());
          return std::vector<std::uint8_t>(annealer.lowest().begin(),
                                           annealer.lowest().end());
        };
        CHECK(lowest(1e25) == lowest(1e35));
        CHECK(lowest(1e25) == lowest(1e300));
      }
    });
  }
}

}  // namespace oa::solve
