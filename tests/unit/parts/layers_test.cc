#include "oa/parts/layers.h"

#include "oa/base/rng.h"

#include <doctest/doctest.h>

namespace oa::parts {
TEST_SUITE("parts") {
  // Rows of up to 16 floats are padded to 16, of 17 to 32 floats to 32.
  TEST_CASE("a workspace has the size that its cost declares") {
    Layout layout;
    const Norm norm(layout, "a", 20);
    const Mlp mlp(layout, "b", "c", 5, 20, 2);
    Arena arena(norm.cost(3).workspace + mlp.cost(7).workspace);
    const Norm::Workspace first = norm.workspace(3, arena);
    const Mlp::Workspace second = mlp.workspace(7, arena);
    CHECK(first.unit.rows == 3);
    CHECK(first.unit.cols == 20);
    CHECK(first.rstd.size() == 16);
    CHECK(second.dhidden.rows == 7);
    CHECK(second.dhidden.cols == 20);
    CHECK_THROWS_AS((void)arena.allocate(1), std::bad_alloc);
  }

  TEST_CASE("an orthogonal map keeps angles, and multiplies lengths") {
    constexpr int kIn = 16;
    constexpr int kOut = 64;
    Layout layout;
    const Linear map(layout, "map", kIn, kOut, Bias::No, orthogonal(5.0));
    Values values(layout);
    initialize(layout, Rng(1), values);
    const num::ConstView w = values.matrix(0);
    for (int a = 0; a < kIn; ++a) {
      for (int b = 0; b < kIn; ++b) {
        double product = 0.0;
        for (int i = 0; i < kOut; ++i) {
          product += static_cast<double>(w(i, a)) * static_cast<double>(w(i, b));
        }
        CHECK(product == doctest::Approx(a == b ? 25.0 : 0.0).epsilon(1e-5));
      }
    }
  }
}

}  // namespace oa::parts
