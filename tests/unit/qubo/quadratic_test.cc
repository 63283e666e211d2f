#include "oa/qubo/quadratic.h"

#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <stop_token>

namespace oa::qubo {
namespace {

/// f(x) by the definition.
double plain(const Quadratic& f, std::span<const std::uint8_t> x) {
  const auto value = [&](int i) {
    const bool one = x[static_cast<std::size_t>(i)] != 0;
    return f.vartype == Vartype::Spin ? (one ? 1.0 : -1.0) : (one ? 1.0 : 0.0);
  };
  double sum = f.offset;
  for (int i = 0; i < f.size(); ++i) {
    sum += f.linear[static_cast<std::size_t>(i)] * value(i);
  }
  for (const Term& t : f.terms()) {
    sum += t.weight * value(t.first) * value(t.second);
  }
  return sum;
}

}  // namespace

TEST_SUITE("qubo") {
  TEST_CASE("terms of one pair add up in any order, and zeros vanish") {
    Quadratic f(3);
    f.add(Terms{
        {2, 0, 1.0}, {0, 1, 2.0}, {0, 2, 3.0}, {1, 2, 5.0}, {2, 1, -5.0}, {1, 1, 7.0}});
    CHECK(f.pairs() == 2);
    REQUIRE(f.row(0).size() == 2);
    CHECK((*f.row(0).begin()).other == 1);
    CHECK((*++f.row(0).begin()).weight == 4.0);
    CHECK(f.row(1).size() == 1);
    CHECK(f.linear[1] == 7.0);
  }

  TEST_CASE("nothing is coupled after a stop request") {
    std::stop_source stop;
    Quadratic f(200'000);
    const std::vector<Term> terms{{0, 1, 2.0}, {0, 199'999, 3.0}, {1, 1, 7.0}};
    f.add(terms, stop.get_token());
    CHECK(f.pairs() == 2);
    stop.request_stop();
    f.add(terms, stop.get_token());
    CHECK(f.pairs() == 0);
    CHECK(f.row(0).empty());
  }

  TEST_CASE("a sum keeps what exceeds its nearest double") {
    Quadratic f(2);
    f.add(Terms{{0, 1, 1.0}, {1, 0, 0x1p-60}, {1, 1, 3.0}});
    f.add(Terms{{0, 1, 0x1p-120}, {1, 1, 0x1p-60}});
    f.add_constant(1.0);
    f.add_constant(0x1p-70);
    CHECK((*f.row(0).begin()).weight == 1.0);
    CHECK(f.linear[1] == 3.0);
    CHECK(f.offset == 1.0);
    CHECK(f.rests().size() == 4);
    ExactSum sum = exact_energy(f, std::vector<std::uint8_t>{1, 1});
    for (const double part : {5.0, 0x1p-59, 0x1p-120, 0x1p-70}) {
      sum.add(-part);
    }
    CHECK(sum.value() == 0.0);
    // Terms that cancel disappear.
    f.add(Terms{{0, 1, -0x1p-60}, {0, 1, -0x1p-120}, {1, 1, -0x1p-60}});
    f.add_constant(-0x1p-70);
    CHECK(f.rests().empty());
  }

  TEST_CASE("the square of a spin is one") {
    Quadratic f(2);
    f.vartype = Vartype::Spin;
    f.add(Terms{{0, 0, 3.0}, {1, 1, 4.0}});
    CHECK(f.offset == 7.0);
  }

  TEST_CASE("energies agree with the definition, for binary variables and spins") {
    test::each_fork(Rng(3), 200, [&](Rng& rng) {
      const Quadratic f = ref::random_quadratic(rng, 1 + test::below(rng, 9));
      const Vartype other =
          f.vartype == Vartype::Spin ? Vartype::Binary : Vartype::Spin;
      const Converted c = converted(f, other);
      const Converted back = converted(c.f, f.vartype);
      CHECK(c.exact);
      CHECK(back.exact);
      const Quadratic minus = negated(f);
      CHECK(minus.sense != f.sense);
      ref::each_x(f.size(), [&](const auto& x) {
        const double e = plain(f, x);
        CHECK(energy(f, x) == e);
        CHECK(energy(c.f, x) == e);
        CHECK(energy(back.f, x) == e);
        CHECK(energy(minus, x) == -e);
      });
    });
  }

  TEST_CASE("energies of spins with fractional couplings") {
    Quadratic f(3);
    f.vartype = Vartype::Spin;
    f.add(Terms{{0, 1, 0.3}, {1, 2, -0.7}, {0, 2, 1e-9}});
    for (unsigned bits = 0; bits < 8; ++bits) {
      const auto x = ref::bits_of(bits, 3);
      CHECK(energy(f, x) == doctest::Approx(plain(f, x)).epsilon(1e-14));
    }
  }

  TEST_CASE("no conversion to 0 and 1 and back loses anything") {
    Quadratic f(2);
    f.vartype = Vartype::Spin;
    f.linear = {0.1, 1e-20};
    f.offset = 0.7;
    f.add(Terms{{0, 1, 0.3}});
    const Converted c = converted(f, Vartype::Binary);
    CHECK(c.exact);
    CHECK_FALSE(c.f.rests().empty());
    const Converted back = converted(c.f, Vartype::Spin);
    CHECK(back.exact);
    CHECK(back.f.rests().empty());
    CHECK(back.f.linear == f.linear);
    CHECK(back.f.offset == f.offset);
    CHECK((*back.f.row(0).begin()).weight == 0.3);
    f.vartype = Vartype::Binary;
    f.linear[1] = 0x1p-1074;
    CHECK_FALSE(converted(f, Vartype::Spin).exact);
  }
}

}  // namespace oa::qubo
