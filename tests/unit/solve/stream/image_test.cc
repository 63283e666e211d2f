#include "oa/solve/stream/image.h"

#include "oa/base/rng.h"
#include "oa_test.h"
#include "ref/exhaustive.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stop_token>
#include <vector>

namespace oa::solve {
namespace {

/// An image of problems that are not convex and take long to prove.
qubo::Problem hard_image(Rng rng, int queries, int m) {
  qubo::Problem image;
  image.n = queries;
  image.m = m;
  const auto size = static_cast<std::size_t>(m);
  image.j.resize(size * size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      image.j[i * size + k] = image.j[k * size + i] = static_cast<float>(rng.normal());
    }
  }
  image.h.resize(static_cast<std::size_t>(queries) * size);
  std::ranges::generate(image.h, [&] { return static_cast<float>(rng.normal()); });
  return image;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("problems of an image that are stopped are no worse than greedy's") {
    const auto image = hard_image(Rng(8), 3, 120);
    const auto greedily =
        solve_image(image, {.method = *find_method("greedy")}, Rng(1));
    std::stop_source source;
    source.request_stop();
    for (const Method& method : methods()) {
      CAPTURE(method.name);
      const auto stopped =
          solve_image(image, {.method = method, .token = source.get_token()}, Rng(1));
      Settings hurried;
      hurried.time_limit_s = 1e-9;
      const auto late =
          solve_image(image, {.method = method, .solver = hurried}, Rng(1));
      for (std::size_t q = 0; q < 3; ++q) {
        CHECK(stopped.status[q] == qubo::Status::Stopped);
        CHECK(stopped.energy[q] <= greedily.energy[q]);
        CHECK(stopped.bound[q] <= stopped.energy[q]);
        CHECK(late.status[q] == qubo::Status::Stopped);
        CHECK(late.energy[q] <= greedily.energy[q]);
      }
    }
  }
  TEST_CASE("queries of unequal size are solved as problems of their own") {
    const std::vector<int> sizes{7, 1, 10, 7, 3, 10, 12};
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      Rng draws(seed);
      const auto problem =
          test::with_sizes(seed % 2 == 0 ? test::random_problem(draws, 12, 7, 4)
                                         : hard_image(draws, 7, 12),
                           sizes);
      for (const Method& method : methods()) {
        CAPTURE(method.name);
        CAPTURE(seed);
        Settings settings;
        settings.top = 1 + static_cast<int>(seed % 3);
        const auto s =
            solve_image(problem, {.method = method, .solver = settings}, Rng(seed));
        const qubo::Matrix whole(12, problem.j);
        for (int i = 0; i < problem.n; ++i) {
          const auto q = static_cast<std::size_t>(i);
          const auto floats = problem.query(i);
          const std::vector<double> h(floats.begin(), floats.end());
          const qubo::Matrix block = whole.leading(sizes[q]);
          const auto best = ref::exhaustive(block, h, settings.top);
          CHECK(s.energy[q] == qubo::energy(s.problem, i, s.problem.row(s.x, i)));
          CHECK(s.energy[q] >= best.front().energy);
          CHECK(s.bound[q] <= best.front().energy);
          if (method.name == "exact" || method.name == "auto") {
            CHECK(s.status[q] == qubo::Status::ProvedOptimal);
            CHECK(s.energy[q] == best.front().energy);
            for (int k = 0; s.top > 0 && k < std::ssize(best); ++k) {
              CHECK(std::ranges::equal(s.top_row(i, k),
                                       best[static_cast<std::size_t>(k)].x));
            }
          }
          // The result equals that of the query alone, with the same random numbers.
          const auto alone =
              method.make_solver(block, settings, {})->solve(h, Rng(seed).fork(q), {});
          CHECK(alone.best.front().energy == s.energy[q]);
          CHECK(std::ranges::equal(alone.best.front().x, s.problem.row(s.x, i)));
        }
      }
    }
  }

  TEST_CASE("a search that ends early does not prove a leading block") {
    Rng draws(3);
    const auto problem = test::with_sizes(hard_image(draws, 2, 40), {30, 40});
    Settings settings;
    settings.max_nodes = 2;
    const auto s = solve_image(
        problem, {.method = *find_method("exact"), .solver = settings}, Rng(1));
    const auto whole = solve_image(problem, {.method = *find_method("exact")}, Rng(1));
    for (std::size_t q = 0; q < 2; ++q) {
      CHECK(s.status[q] == qubo::Status::Stopped);
      CHECK(whole.status[q] == qubo::Status::ProvedOptimal);
      CHECK(s.bound[q] <= whole.energy[q]);
      CHECK(s.energy[q] >= whole.energy[q]);
    }
  }
}

}  // namespace oa::solve
