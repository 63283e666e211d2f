#include "oa/solve/polynomial/search.h"

#include "oa/solve/methods.h"
#include "oa/solve/polynomial/solve.h"
#include "ref/random_polynomial.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <stop_token>

namespace oa::solve {
namespace {

/// Sum over k of (sum of s_i s_(i+k))^2.
qubo::Polynomial autocorrelations(int n) {
  qubo::Polynomial p;
  p.n = n;
  p.vartype = qubo::Vartype::Spin;
  for (int k = 1; k < n; ++k) {
    for (int i = 0; i + k < n; ++i) {
      for (int j = 0; j + k < n; ++j) {
        std::vector<std::int32_t> all;
        for (const int v : {i, i + k, j, j + k}) {
          if (const auto found = std::ranges::find(all, v); found != all.end()) {
            all.erase(found);
          } else {
            all.push_back(v);
          }
        }
        std::ranges::sort(all);
        p.monomials.push_back({all, 1.0});
      }
    }
  }
  return p;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("all methods for polynomials find optima of small ones") {
    test::each_fork(Rng(34), 60, [&](Rng& rng, int seed) {
      const int n = 1 + seed % 10;
      const qubo::Polynomial q = ref::random_polynomial(rng, n, 5);
      const WholePolynomial p = in_whole_numbers(q);
      const auto best = ref::best_of_all(q);
      PolynomialTask task{.p = p};
      task.settings.reads = 100;
      task.settings.sweeps = 50;
      for (const Method& method : methods()) {
        if (method.solve_polynomial != nullptr) {
          CAPTURE(method.name);
          const Result found = method.solve_polynomial(task, rng, {});
          REQUIRE(found.best.front().value() == p.energy(best));
          if (method.proves) {
            REQUIRE(found.status == qubo::Status::ProvedOptimal);
            REQUIRE(found.best.front().x == best);
            REQUIRE(found.bound == found.best.front().energy);
          }
        }
      }
    });
  }

  TEST_CASE("results do not depend on the number of threads") {
    const WholePolynomial p = in_whole_numbers(autocorrelations(30));
    for (const PolynomialSolver* solve :
         {anneal_polynomial, temper_polynomial, tabu_polynomial, search_polynomial}) {
      PolynomialTask task{.p = p};
      task.settings.reads = 5;
      task.settings.sweeps = 40;
      task.settings.top = 3;
      const Result one = solve(task, Rng(1), {});
      task.threads = 3;
      const Result three = solve(task, Rng(1), {});
      REQUIRE(one.best.size() == three.best.size());
      for (std::size_t k = 0; k < one.best.size(); ++k) {
        CHECK(one.best[k].x == three.best[k].x);
      }
      CHECK(one.method == three.method);
    }
  }

  TEST_CASE("low autocorrelations are found and proved") {
    const WholePolynomial p = in_whole_numbers(autocorrelations(20));
    PolynomialTask task{.p = p};
    const Result found = solve_polynomial(task, Rng(1), {});
    CHECK(found.best.front().energy == 26.0);
    CHECK(found.status == qubo::Status::ProvedOptimal);
  }

  TEST_CASE("a search of a polynomial ends at its target and when it is stopped") {
    const WholePolynomial p = in_whole_numbers(autocorrelations(30));
    PolynomialTask task{.p = p};
    task.target = 59.0;
    const Result found = search_polynomial(task, Rng(1), {});
    CHECK(found.best.front().energy == 59.0);
    std::stop_source source;
    source.request_stop();
    task.target = 0.0;
    const Result stopped =
        search_polynomial(task, Rng(1), Stop(source.get_token(), 1e10));
    CHECK(stopped.status == qubo::Status::Stopped);
    CHECK(stopped.best.size() == 1);
    const WholePolynomial few = in_whole_numbers(autocorrelations(5));
    for (const PolynomialSolver* solve : {solve_polynomial, prove_polynomial}) {
      const Result none = solve({.p = few}, Rng(1), Stop(source.get_token(), 1e10));
      CHECK(none.status == qubo::Status::Stopped);
      CHECK(none.best.size() == 1);
    }
  }

  TEST_CASE("a search begins at its start") {
    const WholePolynomial p = in_whole_numbers(autocorrelations(13));
    PolynomialTask task{.p = p};
    task.starts = {{1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1, 0, 1}};  // Barker's code
    task.settings.reads = 1;
    task.settings.sweeps = 1;
    for (const PolynomialSolver* solve :
         {anneal_polynomial, temper_polynomial, tabu_polynomial, search_polynomial}) {
      CHECK(solve(task, Rng(1), {}).best.front().energy == 6.0);
    }
  }
}

}  // namespace oa::solve
