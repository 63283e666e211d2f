#include "oa/solve/exact/spin/clique_kernels.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "ref/targets.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace oa::solve {
namespace {

std::vector<double> random_numbers(Rng& rng, int n) {
  std::vector<double> all;
  for (int i = 0; i < n; ++i) {
    all.push_back(rng.normal());
  }
  return all;
}

/// The pull of the other spins on spin i, element r.
double pull(const std::vector<double>& e,
            const std::vector<SpinVector>& v,
            int i,
            int r) {
  double sum = 0.0;
  for (std::size_t k = 0; k < v.size(); ++k) {
    sum += e[at(i) * v.size() + k] * num::elements(v[k].line)[r];
  }
  return sum;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("vectors are updated against their gradient, in order") {
    ref::on_each_target([] {
      Rng rng(109);
      for (const int n : {1, 2, 5, 8, 13}) {
        CAPTURE(n);
        const auto numbers = random_numbers(rng, n * n);
        std::vector<double> e(numbers.size());
        for (int i = 0; i < n; ++i) {
          for (int k = 0; k < i; ++k) {
            e[at(i * n + k)] = e[at(k * n + i)] = numbers[at(i * n + k)];
          }
        }
        std::vector<SpinVector> v(at(n));
        for (SpinVector& vector : v) {
          for (num::Line& line : vector.line) {
            for (double& element : line.lane) {
              element = rng.normal();
            }
          }
        }
        std::vector<SpinVector> expected = v;
        std::vector<double> length(at(n));
        for (int i = 0; i < n; ++i) {
          double square = 0.0;
          for (int r = 0; r < kVectorRank; ++r) {
            square += std::pow(pull(e, expected, i, r), 2);
          }
          length[at(i)] = std::sqrt(square);
          SpinVector moved = expected[at(i)];
          for (int r = 0; r < kVectorRank && square > 0.0; ++r) {
            num::elements(moved.line)[r] = -pull(e, expected, i, r) / length[at(i)];
          }
          expected[at(i)] = moved;
        }
        std::vector<double> d(at(n));
        turn_vectors(e, v, d);
        for (int i = 0; i < n; ++i) {
          CHECK(d[at(i)] == doctest::Approx(length[at(i)]));
          for (int r = 0; r < kVectorRank; ++r) {
            CHECK(num::elements(v[at(i)].line)[r] ==
                  doctest::Approx(num::elements(expected[at(i)].line)[r]));
          }
        }
      }
    });
  }

  TEST_CASE("sums and differences of numbers that are far apart are found") {
    ref::on_each_target([] {
      Rng rng(110);
      for (int n = 1; n < 40; ++n) {
        CAPTURE(n);
        const auto b = random_numbers(rng, n);
        const auto c = random_numbers(rng, n);
        std::vector<int> found{-1};
        find_far(b, c, n / 3, 2.0, 1.5, found);
        std::vector<int> expected{-1};
        for (int k = n / 3 + 1; k < n; ++k) {
          const bool far = std::abs(b[at(k)] + c[at(k)]) > 2.0 ||
                           std::abs(b[at(k)] - c[at(k)]) > 1.5;
          if (far) {
            expected.push_back(k);
          }
        }
        CHECK(found == expected);
      }
    });
  }

  TEST_CASE("a product of vectors of any length is their sum of products") {
    ref::on_each_target([] {
      Rng rng(111);
      for (int n = 0; n < 70; ++n) {
        const auto a = random_numbers(rng, n);
        const auto b = random_numbers(rng, n);
        double sum = 0.0;
        for (int i = 0; i < n; ++i) {
          sum += a[at(i)] * b[at(i)];
        }
        CHECK(std::abs(dot_product(a, b) - sum) < 1e-12);
      }
    });
  }
}

}  // namespace oa::solve
