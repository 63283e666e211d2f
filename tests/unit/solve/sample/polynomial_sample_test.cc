#include "oa/base/index.h"
#include "oa/solve/sample/sample.h"
#include "ref/random_polynomial.h"
#include "ref/sampled.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace oa::solve {
namespace {

/// The probability of 1 for each variable of a polynomial to be minimised.
std::vector<double> listed_ones(const WholePolynomial& p, double t) {
  std::vector<double> ones(at(p.n));
  double sum = 0.0;
  for (std::uint64_t k = 0; k < std::uint64_t{1} << p.n; ++k) {
    const auto x = ref::nth_x(k, p.n);
    const double weight = std::exp(-p.energy(x).value / t);
    sum += weight;
    for (std::size_t i = 0; i < x.size(); ++i) {
      ones[i] += x[i] != 0 ? weight : 0.0;
    }
  }
  for (double& one : ones) {
    one /= sum;
  }
  return ones;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE(
      "samples and marginals of polynomials have the distribution of all states") {
    test::each_fork(Rng(61), 16, [&](Rng& rng, int seed) {
      const WholePolynomial p =
          in_whole_numbers(ref::random_polynomial(rng, 4 + seed % 8, 6));
      for (const double t : {1.0, 4.0}) {
        const std::vector<double> ones = listed_ones(p, t);
        SampleSettings settings{.samples = 2000, .temperature = t};
        const Samples exact = draw_samples(p, settings, rng.fork(1), {});
        CHECK(exact.exact);
        REQUIRE(exact.states.size() == 2000);
        CHECK(ref::worst(ref::means_of(exact.states), ones, 2000.0) < 4.5);
        const Marginals marginals = marginals_of(p, settings, rng.fork(2), {});
        CHECK(marginals.exact);
        for (std::size_t i = 0; i < ones.size(); ++i) {
          CHECK(marginals.ones[i] == doctest::Approx(ones[i]).epsilon(1e-9));
        }
        settings.trees = false;
        settings.samples = 400;
        const Samples chains = draw_samples(p, settings, rng.fork(3), {});
        CHECK_FALSE(chains.exact);
        CHECK(ref::worst(ref::means_of(chains.states), ones, chains.effective) < 4.5);
        CHECK(ref::worst(chains.marginals.ones, ones, chains.marginals.effective) <
              4.5);
      }
    });
  }
}

}  // namespace oa::solve
