#include "oa/encode/known_sum.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/encode/least_squares.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

using namespace oa;

namespace {

std::vector<double> normal_numbers(int count, Rng& rng) {
  std::vector<double> all;
  for (int k = 0; k < count; ++k) {
    all.push_back(rng.normal());
  }
  return all;
}

std::vector<std::uint8_t> bits(unsigned choice, int m) {
  std::vector<std::uint8_t> x;
  for (int i = 0; i < m; ++i) {
    x.push_back(choice >> i & 1U);
  }
  return x;
}

/// The least energies of a query among choices with the sum, and among all others.
struct Least {
  double right = std::numeric_limits<double>::infinity();
  double wrong = std::numeric_limits<double>::infinity();
};

Least least(const qubo::Problem& p, int query, int sum) {
  Least found;
  for (unsigned choice = 0; choice < 1U << p.m; ++choice) {
    double& to = std::popcount(choice) == sum ? found.right : found.wrong;
    to = std::min(to, qubo::energy(p, query, bits(choice, p.m)));
  }
  return found;
}

}  // namespace

TEST_SUITE("encode") {
  TEST_CASE("with a sufficient penalty every optimum has the known sum") {
    Rng rng(11);
    for (const int d : {1, 3, 12}) {
      for (const double size : {0.01, 1.0, 30.0}) {
        for (const int sum : {0, 2, 5, 8}) {
          const int m = 8;
          const int n = 2;
          const std::vector<double> v = normal_numbers(m * d, rng);
          std::vector<double> q = normal_numbers(n * d, rng);
          std::ranges::transform(q, q.begin(), [&](double x) { return size * x; });
          encode::LeastSquares squares{
              .m = m, .n = n, .d = d, .v = v, .q = q, .sum = sum};
          squares.penalty = encode::sufficient_penalty(squares);
          const qubo::Problem p = encode::encode(squares, {0.0, 1.0, 2, false});
          for (int i = 0; i < n; ++i) {
            const Least found = least(p, i, sum);
            CAPTURE(d);
            CAPTURE(size);
            CAPTURE(sum);
            CHECK(found.right < found.wrong);
          }
        }
      }
    }
  }

  TEST_CASE("a sum that fits the query needs a penalty of the size of its noise") {
    Rng rng(12);
    const int m = 20;
    const int d = 8;
    const std::vector<double> v = normal_numbers(m * d, rng);
    std::vector<double> q(d);
    double noise = 0.0;
    for (int k = 0; k < d; ++k) {
      const double error = 0.01 * rng.normal();
      noise += error * error;
      q[at(k)] = v[at(3 * d + k)] + v[at(7 * d + k)] + error;
    }
    const double penalty =
        encode::sufficient_penalty({.m = m, .n = 1, .d = d, .v = v, .q = q, .sum = 2});
    CHECK(penalty > 0.0);
    CHECK(penalty < noise + 1e-3);
  }
}
