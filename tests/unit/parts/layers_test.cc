#include "oa/parts/layers.h"

#include "oa/base/rng.h"

#include <doctest/doctest.h>

namespace oa::parts {
namespace {

constexpr std::size_t kFloat = sizeof(float);

}  // namespace

TEST_SUITE("parts") {
  // Rows of up to 16 floats are padded to 16, of 17 to 32 floats to 32.
  TEST_CASE("parts cost what their formulas say, and declare as many parameters") {
    Layout layout;
    const Linear linear(layout, "a", 5, 20);
    CHECK(linear.cost(3) == Cost{.parameters = 120,
                                 .forward = 600,
                                 .backward = 1200,
                                 .projections = 600,
                                 .workspace = 0});
    const Norm norm(layout, "b", 20);
    CHECK(norm.cost(3) == Cost{.parameters = 40, .workspace = kFloat * (3 * 32 + 16)});
    const Projection projection(layout, "c", 5, 20);
    CHECK(projection.cost(3) == linear.cost(3) + norm.cost(3));
    const Mlp mlp(layout, "d", "e", 5, 20, 2);
    CHECK(mlp.cost(3) == Cost{.parameters = 120 + 42,
                              .forward = 600 + 240,
                              .backward = 1200 + 480,
                              .projections = 600 + 240,
                              .workspace = kFloat * 3 * 3 * 32});
    CHECK(
        layout.parameter_count() ==
        (linear.cost(3) + norm.cost(3) + projection.cost(3) + mlp.cost(3)).parameters);
  }

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
