#include "oa/solve/single/polynomial.h"

#include "oa/solve/single/solve_model.h"
#include "ref/random_polynomial.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace oa::solve {
namespace {

ModelSettings settings_of(std::string_view method) {
  ModelSettings settings;
  settings.method = find_method(method);
  return settings;
}

ModelResult solve_own(const qubo::Polynomial& p, const ModelSettings& settings) {
  return solve_model(qubo::model_of(p), settings, Rng(1), {});
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("polynomials are proved in their own form, the smallest optimum first") {
    test::each_fork(Rng(41), 150, [&](Rng& rng, int seed) {
      qubo::Polynomial p = ref::random_polynomial(rng, 1 + seed % 9, 5);
      for (qubo::Monomial& m : p.monomials) {
        m.weight *= seed % 3 == 0 ? 0.1 : seed % 3 == 1 ? 0x1p500 : 0x1p-1070;
      }
      const auto best = ref::best_of_all(p);
      for (const char* method : {"auto", "exact"}) {
        ModelSettings settings = settings_of(method);
        for (const bool presolve : {false, true}) {
          settings.presolve = presolve;
          const ModelResult found = solve_own(p, settings);
          REQUIRE(found.status == qubo::Status::ProvedOptimal);
          REQUIRE(found.best.front().x == best);
          REQUIRE(found.best.front().energy == qubo::exact_value(p, best).value());
          REQUIRE(found.bound == found.best.front().energy);
        }
        settings.solver.top = 4;
        const ModelResult several = solve_own(p, settings);
        REQUIRE(several.best.size() == std::min(std::size_t{4}, std::size_t{1} << p.n));
        REQUIRE(several.best.front().x == best);
      }
    });
  }

  TEST_CASE("what searches of polynomials report is monotone, and bounds hold") {
    test::each_fork(Rng(42), 40, [&](Rng& rng, int seed) {
      const qubo::Polynomial p = ref::random_polynomial(rng, 8, 4);
      const double best = ref::least_sense(p, ref::best_of_all(p));
      const double sign = p.sense == qubo::Sense::Max ? -1.0 : 1.0;
      for (const char* method : {"auto", "sa", "pt", "tabu"}) {
        CAPTURE(method);
        ModelSettings settings = settings_of(method);
        settings.solver.reads = 2;
        settings.solver.sweeps = 8;
        settings.initial = {ref::nth_x(seed, 8), ref::nth_x(seed + 40, 8)};
        double last = std::numeric_limits<double>::infinity();
        settings.improved = [&](double energy) {
          CHECK(sign * energy < last);
          last = sign * energy;
        };
        settings.bounded = [&](double bound) { CHECK(sign * bound <= best); };
        const ModelResult found = solve_own(p, settings);
        CHECK(sign * found.best.front().energy == last);
        for (const std::vector<std::uint8_t>& x : settings.initial) {
          CHECK(last <= ref::least_sense(p, x));
        }
        CHECK(sign * found.bound <= best);
        settings.improved = {};
        settings.target = found.best.front().energy;
        const double again = solve_own(p, settings).best.front().energy;
        CHECK(sign * again <= sign * *settings.target);
      }
    });
  }

  TEST_CASE("weights that span too many digits are proved only if variables are few") {
    qubo::Polynomial p;
    p.n = 3;
    p.monomials = {{{0, 1, 2}, 0x1p900}, {{1}, -1.0}, {{0, 2}, -0x1p-900}, {{0}, 3.0}};
    const ModelResult small = solve_own(p, settings_of("auto"));
    CHECK(small.status == qubo::Status::ProvedOptimal);
    CHECK(small.best.front().energy == -1.0);
    p.n = 60;
    for (std::int32_t i = 1; i + 3 < p.n; ++i) {
      p.monomials.push_back({{i, i + 1, i + 3}, i % 2 == 0 ? 5.0 : -3.0});
    }
    const ModelResult large = solve_own(p, settings_of("auto"));
    CHECK(large.status == qubo::Status::BestFound);
    CHECK(large.bound <= large.best.front().energy);
    CHECK(large.best.front().energy ==
          qubo::exact_value(p, large.best.front().x).value());
  }

  TEST_CASE("large sparse polynomials are proved as quadratic functions") {
    Rng rng(43);
    qubo::Polynomial p;
    p.n = 60;
    for (std::int32_t i = 0; i + 3 < p.n; ++i) {
      p.monomials.push_back(
          {{i, i + 1, i + 3}, static_cast<double>(rng.below(9)) - 4.0});
      p.monomials.push_back({{i, i + 2}, static_cast<double>(rng.below(9)) - 4.0});
    }
    const ModelResult found = solve_own(p, settings_of("exact"));
    CHECK(found.status == qubo::Status::ProvedOptimal);
    CHECK(found.bound == qubo::exact_value(p, found.best.front().x).value());
  }

  TEST_CASE("quadratic functions of products have the results of their own form") {
    // x_i x_(i+1) = z_i with a penalty, and weights of z_i z_(i+2).
    test::each_fork(Rng(44), 20, [&](Rng& rng) {
      const int n = 6;
      qubo::Quadratic f(2 * n);
      std::vector<qubo::Term> terms;
      for (std::int32_t i = 0; i < n; ++i) {
        const std::int32_t j = (i + 1) % n;
        const std::int32_t z = n + i;
        const auto weight = [&] { return static_cast<double>(rng.below(11)) - 5.0; };
        terms.push_back({z, z, 60.0 + weight()});
        terms.push_back({i, z, -40.0});
        terms.push_back({j, z, -40.0});
        terms.push_back({std::min(i, j), std::max(i, j), 20.0});
        terms.push_back({i, i, weight()});
        if (i + 2 < n) {
          terms.push_back({z, z + 2, weight()});
        }
      }
      f.add(terms);
      const ModelResult found = solve_model(f, settings_of("auto"), Rng(1), {});
      CHECK(found.searched <= n);
      CHECK(found.status == qubo::Status::ProvedOptimal);
      CHECK(found.best.front().energy == ref::best_value(f));
      CHECK(found.bound == ref::best_value(f));
      const ModelResult plain = solve_model(f, settings_of("exact"), Rng(1), {});
      CHECK(found.best.front().x == plain.best.front().x);
    });
  }
}

}  // namespace oa::solve
