#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/solve/exact/box/search.h"
#include "oa/solve/lattice/rounded.h"
#include "oa/solve/lattice/sphere.h"
#include "oa/solve/lattice/triangle.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace oa::solve {
namespace {

/// |y - Az|^2 over numbers z of digits in permuted variables, and its structure.
struct Detection {
  qubo::Quadratic f;
  Structure structure;
};

struct Shape {
  std::vector<int> digits;  ///< of each number
  int rows = 0;             ///< of A
  bool whole = false;       ///< A and y are integers, so that there are ties
  double scale = 1.0;
};

Detection detection(const Shape& shape, Rng& rng) {
  const auto m = std::ssize(shape.digits);
  const int n = std::accumulate(shape.digits.begin(), shape.digits.end(), 0);
  std::vector<int> order(at(n));
  std::iota(order.begin(), order.end(), 0);
  for (int k = n - 1; k > 0; --k) {
    std::swap(order[at(k)], order[rng.below(static_cast<std::uint32_t>(k + 1))]);
  }
  const auto draw = [&] {
    return shape.whole ? static_cast<double>(rng.below(7)) - 3.0 : rng.normal();
  };
  std::vector<std::vector<double>> columns(at(n), std::vector<double>(at(shape.rows)));
  Detection d{qubo::Quadratic(n), {}};
  int next = 0;
  for (std::ptrdiff_t j = 0; j < m; ++j) {
    std::vector<double> column(at(shape.rows));
    std::ranges::generate(column, draw);
    Number number;
    for (int k = 0; k < shape.digits[at(j)]; ++k) {
      const int variable = order[at(next++)];
      number.variables.push_back(variable);
      number.weights.push_back(std::ldexp(1.0, k));
      for (int r = 0; r < shape.rows; ++r) {
        columns[at(variable)][at(r)] = std::ldexp(column[at(r)], k);
      }
    }
    if (number.variables.size() > 1) {
      d.structure.numbers.push_back(number);
    }
  }
  std::vector<double> y(at(shape.rows));
  std::ranges::generate(y, [&] { return 3.0 * draw(); });
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    const std::vector<double>& a = columns[at(i)];
    const double own = std::inner_product(a.begin(), a.end(), a.begin(), 0.0);
    const double shared = std::inner_product(a.begin(), a.end(), y.begin(), 0.0);
    d.f.linear[at(i)] = shape.scale * (own - 2.0 * shared);
    for (int k = 0; k < i; ++k) {
      const std::vector<double>& b = columns[at(k)];
      const double both = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
      terms.push_back({k, i, shape.scale * 2.0 * both});
    }
  }
  d.f.add(terms);
  return d;
}

Shape random_shape(Rng& rng) {
  Shape shape;
  shape.digits.push_back(2 + test::below(rng, 3));
  for (int left = 6; left > 0;) {
    shape.digits.push_back(1 + test::below(rng, 3));
    left -= shape.digits.back();
  }
  // No more single variables than others.
  while (2 * std::ranges::count(shape.digits, 1) >
         std::accumulate(shape.digits.begin(), shape.digits.end(), 0)) {
    shape.digits.push_back(2);
  }
  const auto m = static_cast<std::uint32_t>(shape.digits.size());
  shape.rows = static_cast<int>(rng.below(2) == 0 ? m + 2 : 1 + rng.below(m));
  shape.whole = rng.below(3) == 0;
  const double scales[] = {1.0, 1.0, 0x1p-60, 0x1p60};
  shape.scale = scales[rng.below(4)];
  return shape;
}

std::vector<Solution> sorted_vectors(const qubo::Quadratic& f) {
  std::vector<Solution> all;
  ref::each_x(f.size(),
              [&](const auto& x) { all.emplace_back(exact_energy(f, x).two(), x); });
  std::sort(all.begin(), all.end());
  return all;
}

/// The sum of the triangle at the levels with these indices, by place.
double sum_at(const Triangle& t, const std::vector<int>& chosen) {
  const std::size_t m = at(t.size());
  std::vector<double> z(m);
  for (std::size_t k = 0; k < m; ++k) {
    z[k] = t.values[k][at(chosen[k])];
  }
  double sum = t.constant;
  for (std::size_t k = 0; k < m; ++k) {
    const double* row = t.r.data() + k * m;
    const double left =
        std::inner_product(row + k, row + m, z.data() + k, -t.target[k]);
    sum += left * left + (t.curve[k] * z[k] + t.slope[k]) * z[k];
  }
  return sum;
}

std::vector<int> by_number(const Triangle& t, const std::vector<int>& by_place) {
  std::vector<int> chosen(by_place.size());
  for (std::size_t k = 0; k < by_place.size(); ++k) {
    chosen[at(t.order[k])] = by_place[k];
  }
  return chosen;
}

/// The levels nearest to the minimum over all reals, by place.
std::vector<int> zero_forcing(const Triangle& t) {
  const std::size_t m = at(t.size());
  std::vector<double> z(m);
  std::vector<int> chosen(m);
  for (std::size_t k = m; k-- > 0;) {
    double sum = t.target[k];
    for (std::size_t i = k + 1; i < m; ++i) {
      sum -= t.r[k * m + i] * z[i];
    }
    z[k] = sum / t.r[k * m + k];
    const std::vector<double>& values = t.values[k];
    const auto least = std::ranges::min_element(
        values, {}, [&](double v) { return std::abs(v - z[k]); });
    chosen[k] = static_cast<int>(least - values.begin());
  }
  return chosen;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("a sphere decoder finds the first of all vectors") {
    test::each_fork(Rng(5), 300, [&](Rng& rng, int t) {
      const Detection d = detection(random_shape(rng), rng);
      const auto squares = find_least_squares(d.f, d.structure);
      REQUIRE(squares);
      Settings settings;
      settings.top = 1 + t % 3;
      const Solution known = rounded(d.f, *squares, 1, {});
      const Result r =
          search_sphere({.f = d.f, .settings = settings, .known = known}, *squares, {});
      const std::vector<Solution> all = sorted_vectors(d.f);
      CHECK(r.status == qubo::Status::ProvedOptimal);
      REQUIRE(std::ssize(r.best) == settings.top);
      for (std::size_t k = 0; k < r.best.size(); ++k) {
        CHECK(r.best[k].x == all[k].x);
        CHECK(r.best[k].energy == all[k].energy);
      }
      CHECK(r.bound <= all.front().energy);
    });
  }

  TEST_CASE("a sphere decoder and boxes find the same optima") {
    test::each_fork(Rng(6), 2000, [&](Rng& rng, int t) {
      Shape shape;
      shape.digits.assign(6 + rng.below(4), 2 + t % 2);
      shape.rows = static_cast<int>(shape.digits.size()) + 2 - t % 4;
      shape.whole = t % 5 == 0;
      const Detection d = detection(shape, rng);
      const auto squares = find_least_squares(d.f, d.structure);
      REQUIRE(squares);
      const Solution known = rounded(d.f, *squares, 4, {});
      const PartTask task{.f = d.f, .settings = {}, .known = known};
      const Result sphere = search_sphere(task, *squares, {});
      const Result boxes = search_boxes(task, {});
      CHECK(sphere.status == qubo::Status::ProvedOptimal);
      CHECK(sphere.best.front().energy == boxes.best.front().energy);
      CHECK(sphere.best.front().x == boxes.best.front().x);
    });
  }

  TEST_CASE("the triangle with its other terms is the function") {
    Rng rng(7);
    for (int t = 0; t < 100; ++t) {
      CAPTURE(t);
      const Detection d = detection(random_shape(rng), rng);
      const auto squares = find_least_squares(d.f, d.structure);
      REQUIRE(squares);
      const Triangle triangle =
          t % 3 == 0
              ? centred_triangle_of(*squares)
              : triangle_of(*squares, t % 3 == 1 ? 0.0 : 0.1 * power_of(*squares));
      std::vector<int> chosen;
      for (const auto& values : triangle.values) {
        chosen.push_back(
            static_cast<int>(rng.below(static_cast<std::uint32_t>(values.size()))));
      }
      const double exact =
          energy(d.f, vector_of(*squares, by_number(triangle, chosen)));
      CHECK(std::abs(sum_at(triangle, chosen) - exact) <= triangle.error);
    }
  }

  TEST_CASE("more than squares of numbers is refused") {
    Rng rng(8);
    for (int t = 0; t < 40; ++t) {
      CAPTURE(t);
      Detection d = detection({.digits = {2, 3, 2, 2}, .rows = 6}, rng);
      REQUIRE(find_least_squares(d.f, d.structure));
      const int a = d.structure.numbers[0].variables[0];
      const int b = d.structure.numbers[at(t % 4)].variables[1];
      if (t < 20) {
        d.f.add(qubo::Terms{{a, b, 2.0}});
      } else {
        d.f.linear[at(b)] += 0.01;
      }
      CHECK_FALSE(find_least_squares(d.f, d.structure));
    }
    CHECK_FALSE(find_least_squares(qubo::Quadratic(3), {}));
  }

  TEST_CASE("squares with a minus are refused") {
    Rng rng(9);
    const Detection d = detection({.digits = {2, 2, 2}, .rows = 5, .scale = -1.0}, rng);
    CHECK_FALSE(find_least_squares(d.f, d.structure));
  }

  TEST_CASE("a rounded start has no higher energy than zero forcing") {
    test::each_fork(Rng(10), 100, [&](Rng& rng, int t) {
      Shape shape;
      shape.rows = 20;
      shape.digits.assign(20, 2 + t % 2);
      shape.digits.front() = 1;
      const Detection d = detection(shape, rng);
      const auto squares = find_least_squares(d.f, d.structure);
      REQUIRE(squares);
      const Triangle triangle = triangle_of(*squares, 0.0);
      const auto x = vector_of(*squares, by_number(triangle, zero_forcing(triangle)));
      CHECK(rounded(d.f, *squares, 1, {}).energy <= energy(d.f, x));
    });
  }
}

}  // namespace oa::solve
