#include "oa/solve/heuristic/couplings.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "ref/targets.h"

#include <doctest/doctest.h>

#include <vector>

namespace oa::solve {
namespace {

/// A function with about `share` of its pairs, and the same as a matrix.
struct Both {
  qubo::Quadratic f;
  std::vector<double> matrix;
};

Both random_both(Rng& rng, int n, double share, double unit) {
  Both both{qubo::Quadratic(n), std::vector<double>(at(n) * at(n))};
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) {
      if (rng.uniform() < share) {
        const double weight = unit * (1.0 + static_cast<double>(rng.below(100)));
        terms.push_back({k, i, weight});
        both.matrix[at(i) * at(n) + at(k)] = weight;
        both.matrix[at(k) * at(n) + at(i)] = weight;
      }
    }
  }
  both.f.add(terms);
  return both;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("rows of a function, sparse or dense, are those of its matrix") {
    ref::on_each_target([&] {
      Rng rng(3);
      // Stored in one byte, in two, as floats and as doubles.
      for (const double unit : {1.0, 100.0, 0.25, 0.1, 1e-300, 1e300}) {
        for (const double share : {0.05, 0.9}) {
          CAPTURE(unit);
          CAPTURE(share);
          const int n = 70;
          const Both both = random_both(rng, n, share, unit);
          CHECK(both.f.couplings().dense() == (share > 0.5));
          const qubo::Quadratic scaled = qubo::negated(both.f);  // by a factor
          for (const qubo::Quadratic* f : {&both.f, &scaled}) {
            const Couplings j(*f);
            const Couplings dense(qubo::Matrix(n, both.matrix));
            CHECK(j.sparse() == !f->couplings().dense());
            CHECK(j.scale() == dense.scale());
            CHECK(j.spread() == doctest::Approx(dense.spread()));
            std::vector<num::FloatLine> scratch(j.scratch() / num::kFloatLine);
            const float sign = f == &both.f ? 1.0F : -1.0F;
            for (int i = 0; i < n; ++i) {
              std::vector<float> whole(at(n));
              const CouplingRow row = j.row(i, num::elements(scratch.data()));
              for (int k = 0; k < row.count; ++k) {
                whole[at(row.others != nullptr ? row.others[k] : k)] += row.weights[k];
              }
              const float* wanted = dense.row(i, nullptr).weights;
              for (int k = 0; k < n; ++k) {
                REQUIRE(whole[at(k)] == sign * wanted[k]);
              }
            }
          }
        }
      }
    });
  }

  TEST_CASE(
      "each() visits the same elements as the iterators of a row, with equal sums") {
    Rng rng(4);
    for (const double share : {0.05, 0.9}) {
      const Both both = random_both(rng, 60, share, 3.0);
      const auto sums = both.f.couplings().sums();
      REQUIRE(sums.size() == 60);
      for (int i = 0; i < 60; ++i) {
        std::vector<qubo::Coupling> all;
        both.f.row(i).each([&](std::int32_t other, double weight) {
          all.push_back({other, weight});
        });
        std::size_t k = 0;
        double positive = 0.0;
        for (const qubo::Coupling& c : both.f.row(i)) {
          REQUIRE(k < all.size());
          CHECK(all[k].other == c.other);
          CHECK(all[k].weight == c.weight);
          positive += c.weight;
          ++k;
        }
        CHECK(k == all.size());
        CHECK(static_cast<double>(sums[at(i)].positive) * both.f.factor() == positive);
        CHECK(sums[at(i)].negative == 0);
      }
    }
  }

  TEST_CASE("a scale knows the step of energies, if it is not tiny") {
    qubo::Quadratic f(40);
    f.add(qubo::Terms{{0, 1, -12.0}, {1, 2, 18.0}, {3, 4, 6.0}});
    f.linear[7] = 30.0;
    REQUIRE(!f.couplings().dense());
    const Scale whole = scale_of(f);
    CHECK(whole.step == 6.0 * whole.energy);
    f.linear[8] = 1e-9;
    CHECK(scale_of(f).step == 0.0);
  }
}

}  // namespace oa::solve
