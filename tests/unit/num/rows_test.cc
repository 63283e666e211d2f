#include "oa/num/rows.h"

#include "oa/base/rng.h"
#include "oa/num/activation.h"
#include "ref/plain_model.h"
#include "ref/targets.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace oa;
using num::Matrix;

namespace {

std::span<float> row(Matrix& m) {
  return {m.row(0), static_cast<std::size_t>(num::padded(m.cols()))};
}

}  // namespace

TEST_SUITE_BEGIN("num");

TEST_CASE("layer normalisation and its gradients agree with the formula") {
  Rng rng(3);
  for (const int width : {16, 64, 10, 21}) {
    const Matrix x = test::drawn_matrix(5, width, rng, 2.0F);
    Matrix gain = test::drawn_matrix(1, width, rng, 2.0F);
    Matrix shift = test::drawn_matrix(1, width, rng, 2.0F);
    Matrix unit(5, width);
    Matrix y(5, width);
    num::Buffer rstd(5);
    num::layer_norm(x, row(gain), row(shift), unit, rstd.span(), y);
    const auto apply = [&](const test::Plain& at) {
      return test::layer_norm(at, test::plain(gain).data, test::plain(shift).data);
    };
    const test::Plain expected = apply(test::plain(x));
    const Matrix dy = test::drawn_matrix(5, width, rng, 2.0F);
    Matrix dx(5, width);
    Matrix dgain(1, width);
    Matrix dshift(1, width);
    num::layer_norm_backward(
        dy, unit, rstd.span(), row(gain), dx, row(dgain), row(dshift));
    const auto along = [&](const test::Plain& at) {
      const test::Plain out = apply(at);
      double sum = 0.0;
      for (int i = 0; i < 5; ++i) {
        for (int j = 0; j < width; ++j) {
          sum += out(i, j) * static_cast<double>(dy(i, j));
        }
      }
      return sum;
    };
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < width; ++j) {
        CHECK(static_cast<double>(y(i, j)) ==
              doctest::Approx(expected(i, j)).epsilon(1e-5).scale(10.0));
        test::Plain above = test::plain(x);
        test::Plain below = above;
        above(i, j) += 1e-5;
        below(i, j) -= 1e-5;
        CHECK(static_cast<double>(dx(i, j)) ==
              doctest::Approx((along(above) - along(below)) / 2e-5)
                  .epsilon(1e-3)
                  .scale(1.0));
      }
    }
    for (int j = 0; j < width; ++j) {
      double sum = 0.0;
      for (int i = 0; i < 5; ++i) {
        sum += static_cast<double>(dy(i, j));
      }
      CHECK(static_cast<double>(dshift(0, j)) ==
            doctest::Approx(sum).epsilon(1e-4).scale(1.0));
    }
  }
}

TEST_CASE("GELU and its slope agree with the formula, also far from zero") {
  Matrix x(1, 41);
  for (int i = 0; i < 41; ++i) {
    x(0, i) = 0.5F * static_cast<float>(i - 20);
  }
  Matrix y(1, 41);
  Matrix slope(1, 41);
  num::gelu(x, y, slope);
  for (int i = 0; i < 41; ++i) {
    const auto at = static_cast<double>(x(0, i));
    CHECK(static_cast<double>(y(0, i)) ==
          doctest::Approx(test::gelu(at)).epsilon(1e-5).scale(1.0));
    const double difference = (test::gelu(at + 1e-5) - test::gelu(at - 1e-5)) / 2e-5;
    CHECK(static_cast<double>(slope(0, i)) ==
          doctest::Approx(difference).epsilon(1e-5).scale(1.0));
  }
}

TEST_CASE("softmax rows sum to one, whatever their size, with zero padding") {
  for (const float size : {1.0F, 50.0F, 1e4F}) {
    Rng rng(4);
    Matrix s = test::drawn_matrix(3, 49, rng, 2.0F);
    Matrix p(3, 49);
    num::softmax(s, size, p);
    for (int i = 0; i < 3; ++i) {
      double sum = 0.0;
      for (int j = 0; j < 49; ++j) {
        CHECK(p(i, j) >= 0.0F);
        sum += static_cast<double>(p(i, j));
      }
      CHECK(sum == doctest::Approx(1.0).epsilon(1e-5));
      CHECK(p.row(i)[49] == 0.0F);
    }
  }
}

TEST_CASE("the root of the sigmoid's slope is right and never infinite") {
  Matrix g(1, 5);
  const float values[5] = {0.0F, 0.1F, -0.1F, 3.0F, -500.0F};
  std::copy_n(values, 5, g.row(0));
  Matrix s(1, 5);
  num::sigmoid_slope_root(g, 0.05F, s);
  for (int i = 0; i < 3; ++i) {
    const double sigmoid =
        1.0 / (1.0 + std::exp(-static_cast<double>(values[i]) / 0.05));
    CHECK(static_cast<double>(s(0, i)) ==
          doctest::Approx(std::sqrt(sigmoid * (1.0 - sigmoid) / 0.05)).epsilon(1e-5));
  }
  CHECK(s(0, 3) < 1e-9F);
  CHECK(s(0, 4) < 1e-9F);
}

TEST_CASE("filling writes the columns of a view and nothing beside them") {
  ref::on_each_target([&] {
    for (int first = 0; first < 20; ++first) {
      for (int width = 0; width + first <= 60; ++width) {
        Rng rng(6);
        const Matrix before = test::drawn_matrix(3, 60, rng, 2.0F);
        Matrix x = before;
        num::fill({x.row(0) + first, 3, width, num::padded(60)}, 0.25F);
        int wrong = 0;
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < num::padded(60); ++j) {
            const bool inside = j >= first && j < first + width;
            wrong += x.row(i)[j] == (inside ? 0.25F : before.row(i)[j]) ? 0 : 1;
          }
        }
        CHECK(wrong == 0);
      }
    }
  });
}

TEST_CASE("rows are added up from the first to the last") {
  ref::on_each_target([&] {
    for (const int width : {1, 16, 21, 64, 100, 130}) {
      for (const int rows : {0, 1, 7}) {
        Rng rng(7);
        const Matrix x = test::drawn_matrix(rows, width, rng, 2.0F);
        Matrix sum = test::drawn_matrix(1, width, rng, 2.0F);
        Matrix expected = sum;
        num::add_rows(x, row(sum));
        for (int i = 0; i < rows; ++i) {
          for (int j = 0; j < width; ++j) {
            expected(0, j) += x(i, j);
          }
        }
        int wrong = 0;
        for (int j = 0; j < num::padded(width); ++j) {
          wrong += sum.row(0)[j] == expected.row(0)[j] ? 0 : 1;
        }
        CHECK(wrong == 0);
      }
    }
  });
}

TEST_SUITE_END();
