#include "oa/attention/candidates.h"

#include "oa/base/rng.h"
#include "oa/num/box/qp.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

using namespace oa;

namespace {

/// Values, and the fields of one query.
struct Query {
  num::Matrix v;
  std::vector<float> h;
};

Query drawn_query(int m, int d, Rng& rng) {
  Query q{test::drawn_matrix(m, d, rng),
          std::vector<float>(static_cast<std::size_t>(m))};
  for (float& field : q.h) {
    field = static_cast<float>(rng.normal());
  }
  return q;
}

std::vector<float> solved(const Query& q, int count) {
  Arena arena(1U << 20);
  attention::Candidates candidates(count, q.v.cols(), arena);
  std::vector<float> x(q.h.size(), -1.0F);
  candidates.solve(q.v, 0.5F, 1000, q.h, x);
  return x;
}

/// The minimum over all values.
num::Matrix minimum(const Query& q) {
  const int m = q.v.rows();
  num::Matrix transposed(q.v.cols(), m);
  num::Matrix j(m, m);
  num::transpose(q.v, transposed);
  num::matmul(q.v, transposed, j, 0.5F);
  num::Matrix h(1, m);
  std::ranges::copy(q.h, h.row(0));
  num::Matrix x(1, m);
  num::Matrix g(1, m);
  num::box_qp_descent({j}, h, {.sweeps = 1000}, x, g);
  return x;
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("only the values of lowest h have coefficients") {
  Rng rng(3);
  for (const int m : {1, 2, 7, 33, 200}) {
    const Query q = drawn_query(m, 5, rng);
    for (const int count : {1, 3, 40}) {
      const int some = std::min(count, m);
      std::vector<float> sorted = q.h;
      std::ranges::sort(sorted);
      const float last = sorted[static_cast<std::size_t>(some - 1)];
      const std::vector<float> x = solved(q, some);
      for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK(x[i] >= 0.0F);
        CHECK((x[i] == 0.0F || q.h[i] <= last));
      }
    }
  }
}

TEST_CASE("among all values the minimum is that of the whole problem") {
  Rng rng(4);
  for (const int m : {1, 9, 60}) {
    const Query q = drawn_query(m, 70, rng);  // strictly convex: one minimum
    const num::Matrix expected = minimum(q);
    const std::vector<float> x = solved(q, m);
    for (int i = 0; i < m; ++i) {
      CHECK(std::abs(x[static_cast<std::size_t>(i)] - expected(0, i)) < 5e-3F);
    }
  }
}

TEST_CASE("among equal h the first are chosen, after NaN") {
  Query q{num::Matrix(50, 4), std::vector<float>(50, -1.0F)};
  const std::vector<float> x = solved(q, 3);  // values of zero: h alone decides
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(x[i] == (i < 3 ? 1.0F : 0.0F));
  }
  q.h[40] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> seen = solved(q, 3);
  CHECK(seen[1] == 1.0F);
  CHECK(seen[2] == 0.0F);
}

TEST_SUITE_END();
