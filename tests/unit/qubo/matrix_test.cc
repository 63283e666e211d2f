#include "oa/qubo/matrix.h"

#include "oa/base/rng.h"
#include "oa/qubo/energies.h"
#include "ref/random_problem.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

TEST_SUITE("qubo") {
  TEST_CASE("the energy of a vector is that of its ones") {
    const oa::qubo::Matrix j(3, std::vector<double>{2, -1, 4, -1, 6, 0.5, 4, 0.5, 8});
    const std::vector<double> h{1, 2, -3};
    CHECK(oa::qubo::energy(j, h, std::vector<std::uint8_t>{0, 0, 0}) == 0.0);
    CHECK(oa::qubo::energy(j, h, std::vector<std::uint8_t>{1, 0, 0}) == 2.0);
    CHECK(oa::qubo::energy(j, h, std::vector<std::uint8_t>{1, 1, 1}) == 11.5);
    CHECK(oa::qubo::energy(j, h, std::vector<int>{0, 1, 2}) == 11.5);
  }

  TEST_CASE("energies summed in units are the exact energies") {
    int in_units = 0;
    oa::test::each_fork(oa::Rng(99), 500, [&](oa::Rng& rng) {
      const auto problem = oa::ref::random_problem(rng, 5 + oa::test::below(rng, 40));
      oa::qubo::Energies energies(problem.j);
      energies.set_linear(problem.h);
      in_units += energies.step() > 0.0 ? 1 : 0;
      for (int k = 0; k < 10; ++k) {
        std::vector<int> ones;
        for (int i = 0; i < problem.j.size(); ++i) {
          if (rng.below(2) != 0) {
            ones.push_back(i);
          }
        }
        CHECK(energies(ones) == exact_energy(problem.j, problem.h, ones).two());
      }
    });
    CHECK(in_units > 250);
    CHECK(in_units < 500);
  }

  TEST_CASE("energies of the largest and smallest doubles are exact") {
    for (const double scale : {1e-310, 1e-300, 1e300}) {
      for (const double other : {0.0, 1e-5, 1.0}) {
        const oa::qubo::Matrix j(
            3,
            std::vector<double>{
                other, scale, 0, scale, 0, -3 * scale, 0, -3 * scale, other});
        const std::vector<double> h{-scale, 2 * scale, other};
        oa::qubo::Energies energies(j);
        energies.set_linear(h);
        for (const std::vector<int>& ones :
             {std::vector<int>{}, {0}, {0, 1}, {1, 2}, {0, 1, 2}}) {
          CHECK(energies(ones) == exact_energy(j, h, ones).two());
        }
      }
    }
  }

  TEST_CASE("energies are multiples of their step") {
    const oa::qubo::Matrix j(2, std::vector<double>{0, 8, 8, 4});
    oa::qubo::Energies energies(j);
    energies.set_linear(std::vector<double>{12, 2});
    CHECK(energies.step() == 4.0);
    energies.set_linear(std::vector<double>{12, 2.25});
    CHECK(energies.step() == 0.25);
    energies.set_linear(std::vector<double>{1e300, 0});
    CHECK(energies.step() == 0.0);
    const oa::qubo::Matrix pair(2, std::vector<double>{0, 0.5, 0.5, 4});
    oa::qubo::Energies fine(pair);
    fine.set_linear(std::vector<double>{12, 2});
    CHECK(fine.step() == 0.5);
  }
}
