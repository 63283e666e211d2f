#include "app/pose/level_posing.h"

#include "oa_test.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace oa;

namespace {

constexpr int kLevels = 3;

/// Two queries in three coefficients, of values (1,0), (1,1) and (-1,2).
qubo::Problem lasso_problem() {
  qubo::Problem p;
  p.m = 3;
  p.n = 2;
  p.d = 2;
  p.v = {1, 0, 1, 1, -1, 2};
  for (int a = 0; a < p.m; ++a) {
    for (int b = 0; b < p.m; ++b) {
      p.j.push_back(2 * (p.v[2 * a] * p.v[2 * b] + p.v[2 * a + 1] * p.v[2 * b + 1]));
    }
  }
  p.h = {-3, -5, 1, 6, 2, -8};
  p.coefficients = Coefficients::Lasso;
  p.l1 = 0.5F;
  return p;
}

qubo::Problem posed(const std::string& scale) {
  model::Config config;
  config.coefficients = Coefficients::Levels;
  config.levels = kLevels;
  config.encoding = Encoding::Unary;
  qubo::Problem p = lasso_problem();
  app::LevelOptions options;
  options.encoding = "unary";
  options.scale = scale;
  (void)app::pose_levels(config, options, "test", p);
  return p;
}

/// Calls f(k) for every vector of so many levels from `low` to `high`.
template <class F>
void each_vector(int count, int low, int high, const F& f) {
  std::vector<int> k(static_cast<std::size_t>(count), low);
  while (true) {
    f(k);
    const auto next = std::ranges::find_if(k, [&](int v) { return v < high; });
    if (next == k.end()) {
      return;
    }
    std::fill(k.begin(), next, low);
    ++*next;
  }
}

/// 1/2 x'Jx + h'x + l1 |x|_1 with x = k / steps.
double energy_of(const qubo::Problem& p,
                 int query,
                 const std::vector<int>& k,
                 float steps) {
  std::vector<float> x;
  for (const int level : k) {
    x.push_back(static_cast<float>(level) / steps);
  }
  return qubo::energy(p.j, p.m, p.query(query), x, p.l1);
}

}  // namespace

TEST_SUITE_BEGIN("app");

TEST_CASE("levels of the lasso exist for values and for their negatives") {
  const qubo::Problem lasso = lasso_problem();
  for (const char* scale : {"none", "image", "query"}) {
    CAPTURE(scale);
    const qubo::Problem p = posed(scale);
    REQUIRE(p.m == 6);
    CHECK(p.v == std::vector<float>{1, 0, -1, 0, 1, 1, -1, -1, -1, 2, 1, -2});
    for (int i = 0; i < p.n; ++i) {
      const float steps = p.steps[static_cast<std::size_t>(i)];
      double least = std::numeric_limits<double>::infinity();
      each_vector(3, 1 - kLevels, kLevels - 1, [&](const std::vector<int>& k) {
        std::vector<int> parts;
        for (const int level : k) {
          for (const int sign : {1, -1}) {
            parts.push_back(std::max(sign * level, 0));
          }
        }
        const double energy = energy_of(lasso, i, k, steps);
        CHECK(energy_of(p, i, parts, steps) == doctest::Approx(energy));
        least = std::min(least, energy);
      });
      double found = std::numeric_limits<double>::infinity();
      each_vector(6, 0, kLevels - 1, [&](const std::vector<int>& k) {
        found = std::min(found, energy_of(p, i, k, steps));
      });
      CHECK(found == doctest::Approx(least));
    }
  }
}

TEST_CASE("the top level of the lasso comes from its largest coefficient") {
  // The second query has larger coefficients than the first.
  const std::vector<float> none = posed("none").steps;
  CHECK(none[0] == none[1]);
  CHECK(none[0] > 0.0F);
  // A query by itself has levels as fine as it needs.
  const std::vector<float> query = posed("query").steps;
  CHECK(query[0] != query[1]);
  CHECK(std::ranges::max(query) > none[0]);
}

TEST_SUITE_END();
