#include "survey/kernel/head_products.h"

#include "unit/survey/kernel/scan_test.h"

#include <array>

using namespace oa;
using test::Inside;
using test::Table;

TEST_SUITE_BEGIN("attention");

TEST_CASE("products of heads are sums over their rows and columns") {
  Rng rng(1);
  for (const auto& [n, heads, width] : {std::array{0, 2, 3},
                                        std::array{3, 21, 1},
                                        std::array{1, 1, 5},
                                        std::array{4, 3, 7}}) {
    CAPTURE(width);
    const Table a = test::drawn_table(rng, n, heads * width);
    const Table b = test::drawn_table(rng, n, heads * width);
    Table p(n, heads * width * width);
    Table rows(n, heads * width);
    Table columns(n, heads * width);
    for (int t = 0; t < n; ++t) {
      for (int h = 0; h < heads; ++h) {
        for (int i = 0; i < width; ++i) {
          for (int j = 0; j < width; ++j) {
            const double product = a(t, h * width + i) * b(t, h * width + j);
            p(t, (h * width + i) * width + j) = product;
            rows(t, h * width + j) += product * a(t, h * width + i);
            columns(t, h * width + i) += product * b(t, h * width + j);
          }
        }
      }
    }
    Inside left(a);
    Inside right(b);
    Inside outer(n, p.cols);
    Inside sums(n, a.cols);
    attention::head_outer(left, right, width, outer);
    test::check_near(outer, p, 1e-6);
    attention::head_sum_rows(outer, left, width, sums);
    test::check_near(sums, rows, 2e-6);
    attention::head_sum_columns(outer, right, width, sums);
    test::check_near(sums, columns, 2e-6);
  }
}

TEST_SUITE_END();
