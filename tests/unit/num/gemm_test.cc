#include "oa/num/gemm.h"

#include "oa/base/rng.h"
#include "ref/plain_model.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <array>

using namespace oa;
using num::Matrix;

namespace {

void check_equal(num::ConstView fast, const test::Plain& slow) {
  for (int i = 0; i < fast.rows; ++i) {
    for (int j = 0; j < fast.cols; ++j) {
      CHECK(static_cast<double>(fast(i, j)) ==
            doctest::Approx(slow(i, j)).epsilon(1e-5).scale(10.0));
    }
    for (int j = fast.cols; j < fast.stride; ++j) {
      CHECK(fast.row(i)[j] == 0.0F);
    }
  }
}

}  // namespace

TEST_SUITE_BEGIN("num");

TEST_CASE("products agree with three plain loops, padding stays zero") {
  Rng rng(1);
  for (const auto& [m, k, n] : {std::array{49, 64, 49},
                                std::array{49, 16, 64},
                                std::array{1, 64, 128},
                                std::array{7, 3, 10},
                                std::array{13, 5, 1},
                                std::array{6, 200, 65},
                                std::array{25, 1, 17}}) {
    const Matrix a = test::drawn_matrix(m, k, rng);
    const Matrix b = test::drawn_matrix(k, n, rng);
    test::Plain expected = test::product(test::plain(a), test::plain(b));
    Matrix c(m, n);
    num::matmul(a, b, c);
    check_equal(c, expected);

    Matrix transposed(k, m);
    num::transpose(a, transposed);
    num::matmul_transposed_add(transposed, b, c);
    num::matmul_add(a, b, c, -0.5F);
    for (double& value : expected.data) {
      value *= 1.5;
    }
    check_equal(c, expected);

    Matrix bias = test::drawn_matrix(1, n, rng);
    num::matmul(a, b, c, 2.0F, {bias.row(0), static_cast<std::size_t>(num::padded(n))});
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        expected(i, j) = expected(i, j) / 1.5 * 2.0 + static_cast<double>(bias(0, j));
      }
    }
    check_equal(c, expected);
  }
}

TEST_CASE("a matrix times its transpose is symmetric to the last bit") {
  Rng rng(2);
  for (const int m : {3, 16, 49, 81, 100}) {
    const Matrix v = test::drawn_matrix(m, 64, rng);
    Matrix transposed(64, m);
    Matrix j(m, m);
    num::transpose(v, transposed);
    num::matmul(v, transposed, j, 0.3F);
    for (int a = 0; a < m; ++a) {
      for (int b = 0; b < a; ++b) {
        CHECK(j(a, b) == j(b, a));
      }
    }
  }
}

TEST_SUITE_END();
