#include "oa/solve/image.h"

#include "oa/base/rng.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stop_token>
#include <vector>

namespace oa::solve {
namespace {

/// An image whose problems are no convex ones, so that they take long to prove.
qubo::ImageProblem hard_image(Rng rng, int queries, int m) {
  qubo::ImageProblem image;
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
}

}  // namespace oa::solve
