#include "oa/solve/polynomial/whole_polynomial.h"

#include "ref/random_polynomial.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

namespace oa::solve {

TEST_SUITE("solve") {
  TEST_CASE("a polynomial in whole numbers has the same values, in both forms") {
    test::each_fork(Rng(31), 200, [&](Rng& rng, int seed) {
      qubo::Polynomial p = ref::random_polynomial(rng, 1 + seed % 7, 5);
      if (seed % 3 == 0) {
        for (qubo::Monomial& m : p.monomials) {
          m.weight *= seed % 2 == 0 ? 0.1 : 0x1p-1074;
        }
      }
      const WholePolynomial whole = in_whole_numbers(p);
      const WholePolynomial shorter = in_shorter_form(whole);
      CHECK(whole.error == 0.0);
      for (std::uint64_t k = 0; k < std::uint64_t{1} << p.n; ++k) {
        const auto x = ref::nth_x(k, p.n);
        const double value = ref::least_sense(p, x);
        REQUIRE(whole.energy(x).value == value);
        REQUIRE(shorter.energy(x).value == value);
        REQUIRE(in_doubles(simple_bound(shorter), shorter.unit).value <= value);
      }
    });
  }

  TEST_CASE("weights that span too many digits are rounded, by no more than said") {
    qubo::Polynomial p;
    p.n = 2;
    p.monomials = {{{0}, 0x1p900}, {{1}, 1.0}, {{0, 1}, -0x1p-900}};
    const WholePolynomial whole = in_whole_numbers(p);
    CHECK(whole.error >= 2.0);
    const std::vector<std::uint8_t> x{1, 1};
    CHECK(whole.energy(x).value == 0x1p900);
    // Denormals underflow in units of the largest weight.
    p.monomials = {{{0}, 0x1p900}, {{1}, 0x1p-1074}};
    CHECK(in_whole_numbers(p).error >= 1.0);
  }

  TEST_CASE("whole numbers of more than 106 bits come back exactly") {
    qubo::Polynomial p;
    p.n = 1;
    p.monomials = {{{}, 0x1p57}, {{}, 1.0}, {{}, 0x1p-53}, {{0}, 3.0}};
    const WholePolynomial whole = in_whole_numbers(p);
    REQUIRE(whole.error == 0.0);
    const WholePolynomial again = in_whole_numbers(in_doubles(whole));
    CHECK(again.unit == whole.unit);
    CHECK(again.constant == whole.constant);
    CHECK(again.weights == whole.weights);
  }

  TEST_CASE("the product form of spins is found in 0/1 variables") {
    // s0 s1 s2 s3, as 2^4 monomials.
    qubo::Polynomial p;
    p.n = 4;
    for (unsigned set = 0; set < 16; ++set) {
      qubo::Monomial m{{}, 1.0};
      for (int i = 0; i < 4; ++i) {
        if ((set >> i & 1U) != 0) {
          m.variables.push_back(i);
          m.weight *= 2.0;
        } else {
          m.weight = -m.weight;
        }
      }
      p.monomials.push_back(m);
    }
    const WholePolynomial shorter = in_shorter_form(in_whole_numbers(p));
    CHECK(shorter.spin);
    CHECK(shorter.size() == 1);
  }
}

}  // namespace oa::solve
