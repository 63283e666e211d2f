#include "oa/solve/single/relaxed.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

namespace oa::solve {
namespace {

using test::between;

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE(
      "prices stay below the objective where rows hold, and no flip pays at first") {
    int tried = 0;
    int flips = 0;  // of a known x
    test::each_fork(Rng(2), 200, [&](Rng& rng, int t) {
      qubo::Polynomial p;
      p.n = between(rng, 2, 8);
      for (std::int32_t i = 0; i < p.n; ++i) {
        p.monomials.push_back({{i}, 0.1 * between(rng, -40, 40)});
        for (std::int32_t k = 0; k < i; ++k) {
          p.monomials.push_back({{k, i}, 0.1 * between(rng, -9, 9)});
        }
      }
      for (int k = between(rng, 1, 3); k > 0; --k) {
        qubo::Constraint c{"c", {}, static_cast<qubo::Relation>(rng.below(3)), 0.0};
        // Squares of large weights have more digits than a double.
        const double unit = t % 2 == 0 ? 1.0 : 1e9;
        const double small = t % 2 == 0 ? 0.0 : 1.0;
        double sum = 0.0;  // at some x
        for (std::int32_t i = 0; i < p.n; ++i) {
          const double weight =
              unit * between(rng, -2, 3) + small * between(rng, -99, 99);
          c.terms.push_back({i, i, weight});
          sum += rng.below(2) == 0 ? 0.0 : weight;
        }
        c.right = t % 2 == 0 ? between(rng, 0, 3) : sum;
        p.constraints.push_back(std::move(c));
      }
      std::vector<std::vector<std::uint8_t>> allowed;
      ref::each_x(p.n, [&](auto x) {
        if (qubo::violated(p, x) < 0) {
          allowed.push_back(std::move(x));
        }
      });
      if (allowed.empty()) {
        return;
      }
      ++tried;
      const qubo::Program program = qubo::program_of(p, "here");
      RelaxedProgram relaxed(program, allowed.front());
      if (std::ranges::all_of(program.rows, [](const qubo::ProgramRow& row) {
            return row.low == row.high && !row.always();
          })) {
        const qubo::Quadratic f = relaxed.function();
        for (const qubo::ProgramRow& row : program.rows) {
          for (const auto& [i, weight] : row.entries) {
            ++flips;
            std::vector<std::uint8_t> x = allowed.front();
            x[at(i)] ^= 1;
            ExactSum rise = qubo::exact_energy(f, x);
            rise.subtract(qubo::exact_energy(f, allowed.front()));
            CHECK(rise.value() >= -1e-9);
          }
        }
      }
      for (int lap = 0; lap < 4; ++lap) {
        const qubo::Quadratic f = relaxed.function();
        for (const std::vector<std::uint8_t>& x : allowed) {
          ExactSum above = qubo::exact_value(p, x);
          above.subtract(qubo::exact_energy(f, x));
          CHECK(above.value() >= 0.0);
        }
        (void)relaxed.learn(test::random_x(rng, p.n), 1.0);
      }
    });
    CHECK(tried > 50);
    CHECK(flips > 50);
  }
}

}  // namespace oa::solve
