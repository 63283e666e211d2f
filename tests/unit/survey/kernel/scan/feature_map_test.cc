#include "survey/kernel/scan/feature_map.h"

#include "unit/survey/kernel/scan_test.h"

#include <array>
#include <cmath>
#include <vector>

using namespace oa;
using attention::Feature;
using test::Inside;
using test::Table;

namespace {

constexpr int kKernelWidth = 6;
constexpr int kKernelFeatures = 12;

/// Products phi(x_0)'phi(x_1) with directions drawn again and again.
std::vector<double> products(
    Feature kind, const Table& x, bool orthogonal, float inverse_sigma, int draws) {
  Rng rng(7);
  std::vector<double> all;
  for (int draw = 0; draw < draws; ++draw) {
    num::Matrix directions(kKernelWidth, kKernelFeatures);
    num::Matrix transposed(kKernelFeatures, kKernelWidth);
    Arena arena(1U << 16U);
    attention::draw_directions(rng, orthogonal, directions, transposed, arena);
    const attention::FeatureMap map{
        kind, kKernelWidth, directions.view(), transposed.view()};
    attention::FeatureBlock block(map, arena);
    Inside tokens(x);
    block.read(tokens, inverse_sigma);
    const std::array zero = {0.0F, 0.0F};
    block.finish(zero.data());
    const int width = attention::feature_width(map);
    double sum = 0.0;
    for (int m = 0; m < width; ++m) {
      sum += static_cast<double>(block.phi()[m]) *
             static_cast<double>(block.phi()[width + m]);
    }
    all.push_back(sum);
  }
  return all;
}

struct Moments {
  double mean = 0.0;
  double variance = 0.0;
};

Moments moments(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  Moments m;
  for (const double value : values) {
    m.mean += value / n;
  }
  for (const double value : values) {
    m.variance += (value - m.mean) * (value - m.mean) / (n - 1.0);
  }
  return m;
}

double dot(const Table& x, int a, int b) {
  double sum = 0.0;
  for (int j = 0; j < kKernelWidth; ++j) {
    sum += x(a, j) * x(b, j);
  }
  return sum;
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("directions are orthogonal within a block and as long as normal vectors") {
  Rng rng(6);
  constexpr int kWidth = 8;
  num::Matrix directions(kWidth, 4000);
  num::Matrix transposed(4000, kWidth);
  Arena arena(1U << 16U);
  attention::draw_directions(rng, true, directions, transposed, arena);
  double length = 0.0;
  double fourth = 0.0;
  for (int m = 0; m < 4000; ++m) {
    double square = 0.0;
    double product = 0.0;
    for (int j = 0; j < kWidth; ++j) {
      CHECK(directions(j, m) == transposed(m, j));
      square += std::pow(static_cast<double>(transposed(m, j)), 2);
      product += static_cast<double>(transposed(m, j)) *
                 static_cast<double>(transposed(m % 8 == 0 ? m + 3 : m / 8 * 8, j));
    }
    CHECK(std::abs(product) < 1e-4);
    length += square / 4000.0;
    fourth += square * square / 4000.0;
  }
  // Squares are chi-squared of 8 degrees: mean 8, variance 16.
  CHECK(length == doctest::Approx(8.0).epsilon(0.04));
  CHECK(fourth - length * length == doctest::Approx(16.0).epsilon(0.2));
}

TEST_CASE("products of random features are equal to kernels, on average") {
  Rng rng(7);
  constexpr int kDraws = 2000;
  const Table x = test::drawn_table(rng, 2, kKernelWidth, 0.8);
  const double positive =
      std::exp(dot(x, 0, 1) / std::sqrt(static_cast<double>(kKernelWidth)));
  const double cosine = dot(x, 0, 1) / std::sqrt(dot(x, 0, 0) * dot(x, 1, 1));
  for (const bool orthogonal : {false, true}) {
    CAPTURE(orthogonal);
    const Moments p = moments(products(Feature::Positive, x, orthogonal, 1.0F, kDraws));
    CHECK(std::abs(p.mean - positive) < 4.0 * std::sqrt(p.variance / kDraws));
    // |x - y|^2 = 2 - 2 cos of vectors of length 1.
    for (const float inverse_sigma : {0.5F, 1.0F, 1.5F}) {
      CAPTURE(inverse_sigma);
      const double gaussian = std::exp(
          -static_cast<double>(inverse_sigma * inverse_sigma) * (1.0 - cosine));
      const Moments f =
          moments(products(Feature::Fourier, x, orthogonal, inverse_sigma, kDraws));
      CHECK(std::abs(f.mean - gaussian) < 4.0 * std::sqrt(f.variance / kDraws));
    }
  }
}

TEST_CASE(
    "the variance of positive features follows from the norms, and is less for "
    "orthogonal ones") {
  Rng rng(9);
  constexpr int kDraws = 20000;
  const Table x = test::drawn_table(rng, 2, kKernelWidth, 0.4);
  // exp(x.y)^2 (exp(|x + y|^2) - 1) / m, with x and y divided by d^(1/4).
  const double root = std::sqrt(static_cast<double>(kKernelWidth));
  const double product = dot(x, 0, 1) / root;
  const double norm = (dot(x, 0, 0) + 2.0 * dot(x, 0, 1) + dot(x, 1, 1)) / root;
  const double expected = std::exp(2.0 * product) * std::expm1(norm) / kKernelFeatures;
  const Moments drawn = moments(products(Feature::Positive, x, false, 1.0F, kDraws));
  CHECK(drawn.variance == doctest::Approx(expected).epsilon(0.1));
  const Moments orthogonal =
      moments(products(Feature::Positive, x, true, 1.0F, kDraws));
  CHECK(orthogonal.variance < 0.95 * expected);
}

TEST_SUITE_END();
